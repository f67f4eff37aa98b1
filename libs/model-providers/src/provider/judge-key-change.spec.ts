import { describe, expect, it } from '@jest/globals';
import { openAiCredentials } from '../openai/openai-credentials.js';
import { evaluateKeyChange, type StoredKey } from './judge-key-change.js';

const at = (openai_api_base?: string, more: object = {}): StoredKey['settings'] => ({
  ...(openai_api_base !== undefined && { openai_api_base }),
  ...more,
});
const stored = (base?: string): StoredKey => ({ hasKey: true, settings: at(base) });
const A = 'https://a.test';
const B = 'https://b.test';

describe('evaluateKeyChange', () => {
  it.each<[string, StoredKey | null, { hasKey: boolean; settings: StoredKey['settings'] }, string]>([
    ['a new configuration with a key', null, { hasKey: true, settings: at(A) }, 'drop'],
    ['a new one for the server of the process', null, { hasKey: false, settings: at() }, 'keep'],
    ['a new one for its own server, without a key', null, { hasKey: false, settings: at(A) }, 'refused'],
    [
      'a new one for a server that asks for none',
      null,
      { hasKey: false, settings: at(A, { auth: 'none' }) },
      'drop',
    ],
    ['other settings, the same server', stored(A), { hasKey: false, settings: at(`${A}/v1/`) }, 'keep'],
    ['other settings, no server', stored(), { hasKey: false, settings: at(' ') }, 'keep'],
    ['another server without its key', stored(A), { hasKey: false, settings: at(B) }, 'refused'],
    [
      'no server any more: the key would go to OpenAI',
      stored(A),
      { hasKey: false, settings: at() },
      'refused',
    ],
    ['a server where there was none', stored(), { hasKey: false, settings: at(A) }, 'refused'],
    ['another path of the same host', stored(A), { hasKey: false, settings: at(`${A}/x`) }, 'refused'],
    ['another server with its key', stored(A), { hasKey: true, settings: at(B) }, 'drop'],
    ['a server that asks for none', stored(A), { hasKey: false, settings: at(B, { auth: 'none' }) }, 'drop'],
    [
      'a server that asks for a key again',
      { hasKey: false, settings: at(A, { auth: 'none' }) },
      { hasKey: false, settings: at(A) },
      'refused',
    ],
  ])('%s', (_case, before, given, expected) =>
    expect(evaluateKeyChange(openAiCredentials, before, given).kind).toBe(expected),
  );
});
