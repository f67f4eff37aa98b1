import { describe, expect, it, jest } from '@jest/globals';
import type { Tokenizer } from '../ports/model-factory.js';
import { ByteTokenizer, planByBytesOrTokens } from './byte-tokenizer.js';

const load = jest.fn(() => Promise.resolve());
const model = { tokenizer: { name: 'tokens', load, count: (text: string) => text.length } };

/** Plans a turn; answers the name of the tokenizer that the plan was made with. */
async function plan(
  turn: { readonly input?: string; readonly roles?: readonly ('system' | 'user' | 'assistant')[] },
  made: (tokenizer: Tokenizer) => unknown = () => undefined,
): Promise<string> {
  load.mockClear();
  const { input = 'hi', roles = [] } = turn;
  const messages = roles.map((role) => ({ role }));
  return planByBytesOrTokens({ input, messages }, model, ({ tokenizer }) => {
    made(tokenizer);
    return tokenizer.name;
  });
}

describe('a turn is planned', () => {
  it.each([
    ['by bytes at the start of a conversation', {}, 'utf-8 bytes'],
    ['by bytes after a system prompt', { roles: ['system'] }, 'utf-8 bytes'],
    ['by bytes with an input of 4 000 bytes', { input: 'ä'.repeat(2_000) }, 'utf-8 bytes'],
    ['by tokens with a longer input', { input: `${'ä'.repeat(2_000)}.` }, 'tokens'],
    ['by tokens after a question', { roles: ['user'] }, 'tokens'],
    ['by tokens after an answer', { roles: ['system', 'assistant'] }, 'tokens'],
  ] as const)('%s', async (_name, turn, expected) => {
    await expect(plan(turn)).resolves.toBe(expected);
    expect(load).toHaveBeenCalledTimes(expected === 'tokens' ? 1 : 0);
  });

  it('by tokens where its plan counts', async () => {
    await expect(plan({}, (tokenizer) => tokenizer.count('a text'))).resolves.toBe('tokens');
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('by tokens where it does not fit by bytes', async () => {
    const fits = (tokenizer: Tokenizer): void => {
      if (tokenizer.count('ää') > 2) throw new Error('too long');
    };
    await expect(plan({}, fits)).resolves.toBe('tokens');
  });

  it('once if it fails for another reason', async () => {
    const fail = jest.fn(() => {
      throw new Error('no such tool');
    });
    await expect(plan({}, fail)).rejects.toThrow('no such tool');
    expect(fail).toHaveBeenCalledTimes(1);
    expect(load).not.toHaveBeenCalled();
  });
});

it('counts no less than a tokenizer does', async () => {
  const bytes = new ByteTokenizer();
  await bytes.load();
  expect(bytes.wasAsked).toBe(false);
  expect(bytes.count('日本')).toBe(6);
  expect(bytes.wasAsked).toBe(true);
});
