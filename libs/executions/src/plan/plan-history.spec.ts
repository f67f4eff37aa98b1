import { describe, expect, it } from '@jest/globals';
import type { Preparation } from '#libs/agent-core';
import { BY_CHARACTERS } from '../../../../test/support/builders/counted-model.js';
import { aStoredContext, aStoredLlm } from '../../../../test/support/builders/stored-context.js';
import type { StoredContext, StoredMessage } from '../ports/stored-context.js';
import { planHistory, type HistoryPlan } from './plan-history.js';

interface Given {
  readonly stored?: Partial<StoredContext>;
  readonly history_tokens?: number | null;
  readonly context_size?: number | null;
  readonly summary_model?: string | null;
  readonly parameters?: Record<string, string | number>;
  readonly rest?: readonly string[];
  readonly onCount?: (text: string) => void;
}

/** Plans for a model with one token per character and answers of one token. */
function plan(given: Given = {}): HistoryPlan {
  const { stored, rest = [], parameters = { max_output_tokens: 1 }, onCount } = given;
  const { history_tokens = null, context_size = null, summary_model = null } = given;
  const count = (text: string): number => {
    onCount?.(text);
    return text.length;
  };
  return planHistory(
    aStoredContext({ llm: aStoredLlm({ model: 'm' }), ...stored }),
    { turnNumber: 9 },
    { history_tokens, context_size, summary_model, parameters },
    {
      model: { ...BY_CHARACTERS, tokenizer: { ...BY_CHARACTERS.tokenizer, count } },
      messageData: { shownToModel: ({ shown }) => (shown === undefined ? {} : { shown }) },
      rest,
    },
  );
}

const by = (tokenizer: string, count: number) => ({ tokenizer, count });
const said = (
  turnNumber: number,
  role: StoredMessage['role'],
  content: string,
  tokens: StoredMessage['tokens'] = null,
): StoredMessage => ({ turnNumber, role, content, data: {}, tokens });
const turn = (number: number, length: number): StoredMessage[] => [
  said(number, 'user', 'q'.repeat(length)),
  said(number, 'assistant', 'a'.repeat(length)),
];
const lengths = ({ messages }: HistoryPlan) => messages.map(({ content }) => content.length);
const SUMMARY = { version: 3, throughTurn: 4, content: 'they chose red' };

describe('the conversation in the prompt of a model', () => {
  it('is all of it, with its system prompt, where that can be read', () => {
    const messages = [said(1, 'system', 'Be brief.'), ...turn(1, 2), ...turn(2, 3)];
    expect(lengths(plan({ stored: { messages } }))).toEqual([9, 2, 2, 3, 3]);
  });

  it('is also what its budget does not allow, as long as no summary stands for it', () => {
    const planned = plan({ stored: { messages: [...turn(1, 600), ...turn(2, 3)] }, history_tokens: 200 });
    expect(lengths(planned)).toEqual([600, 600, 3, 3]);
    expect(planned.length).toMatchObject({ held: { tokens: 1_206, messages: 4 }, budget: { tokens: 200 } });
    expect(planned.pinned).toMatchObject({ fromTurn: 1, isCut: false });
  });

  it('is the newest turns where the model cannot read more beside its answer and the rest', () => {
    const messages = [...turn(1, 100), ...turn(2, 100), ...turn(3, 100)];
    const given = { stored: { messages }, context_size: 1_000, parameters: { max_output_tokens: '300' } };
    expect(lengths(plan({ ...given, rest: ['x'.repeat(100)] }))).toHaveLength(6);
    const cut = plan({ ...given, rest: ['x'.repeat(60), 'x'.repeat(41)] });
    expect(lengths(cut)).toEqual([100, 100, 100, 100]);
    expect(cut.pinned).toMatchObject({ fromTurn: 2, messages: 4, tokens: 400, isCut: true });
    expect(cut.length.budget.tokens).toBe(599);
  });

  it('is nothing where no turn of it fits, and its own turn begins the window', () => {
    const planned = plan({ stored: { messages: turn(1, 1_000) }, context_size: 1_000 });
    expect(planned.messages).toEqual([]);
    expect(planned.pinned).toMatchObject({ fromTurn: 9, messages: 0, isCut: true });
  });

  it('is cut where there is more than is read', () => {
    expect(plan({ stored: { messages: turn(5, 1), hasOlder: true } }).pinned?.isCut).toBe(true);
  });

  it('is, for an attempt that goes on, what the first one was shown', () => {
    const history = { fromTurn: 3, messages: 2, tokens: 6, isCut: false, summary: null };
    const preparation = { history } as unknown as Preparation;
    const planned = plan({ stored: { messages: turn(3, 600), preparation }, context_size: 1_000 });
    expect(lengths(planned)).toEqual([600, 600]);
  });
});

describe('the pinned part of a conversation', () => {
  it('is nothing where nothing was said before', () => {
    expect(plan().pinned).toBeNull();
  });

  it('is where the window begins, how much it holds, and the summary before it', () => {
    expect(plan({ stored: { messages: turn(5, 2), summary: SUMMARY } }).pinned).toEqual({
      ...{ fromTurn: 5, messages: 2, tokens: 4, isCut: false },
      summary: { version: 3, throughTurn: 4 },
    });
    expect(plan({ stored: { summary: SUMMARY } }).pinned).toMatchObject({ fromTurn: 9, messages: 0 });
  });
});

describe('its tokens', () => {
  it('are counted once: what is known of a message is not counted again', () => {
    const counted: string[] = [];
    const messages = [said(1, 'user', 'known', by('characters', 50)), said(1, 'assistant', 'new')];
    const planned = plan({ stored: { messages }, onCount: (text) => counted.push(text) });
    expect(counted).toEqual(['new']);
    expect(planned.length.held).toEqual({ messages: 2, tokens: 53 });
  });

  it('are counted anew where another tokenizer made the count', () => {
    const messages = [said(1, 'user', 'other', by('o200k_base', 50))];
    expect(plan({ stored: { messages } }).length.held.tokens).toBe(5);
  });

  it('are those of what the model reads, its data too', () => {
    const message = { ...said(1, 'user', 'hello'), data: { shown: 'file 1', hidden: 'x'.repeat(99) } };
    const planned = plan({ stored: { messages: [message] } });
    expect(planned.length.held.tokens).toBe(planned.messages[0]?.content.length);
  });

  it('are counted for the rest of the prompt only where they decide', () => {
    const counted: string[] = [];
    const given = {
      stored: { messages: turn(1, 1) },
      rest: ['é'.repeat(1_000)],
      onCount: (text: string) => counted.push(text),
    };
    plan(given);
    expect(counted.filter((text) => text.startsWith('é'))).toEqual([]);
    plan({ ...given, context_size: 1_500 });
    expect(counted.filter((text) => text.startsWith('é'))).toHaveLength(1);
  });
});

describe('the model that summarises', () => {
  it('is the agent’s, or the one that the agent names', () => {
    expect(plan().length.summaryModel).toBe('m');
    expect(plan({ summary_model: 'small' }).length.summaryModel).toBe('small');
  });
});
