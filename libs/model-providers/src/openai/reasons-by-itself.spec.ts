import { describe, expect, it } from '@jest/globals';
import { OPENAI_MODELS } from './predefined-models.js';
import { reasonsByItself } from './reasons-by-itself.js';

describe('reasonsByItself', () => {
  it.each([
    'gpt-5-2025-08-07',
    'gpt-5.2-2025-12-11',
    'gpt-5-mini-2025-08-07',
    'gpt-5.4',
    'gpt-6',
    'gpt-10.1-pro',
    'o1',
    'o3-mini-2025-01-31',
    'o4-mini',
    'codex-mini-latest',
    'openai/gpt-5',
    'ft:gpt-5-mini-2025-08-07:acme::abc',
    'GPT-5',
    ...OPENAI_MODELS.map((model) => model.id),
  ])('%s reasons', (id) => expect(reasonsByItself(id)).toBe(true));

  it.each([
    'gpt-4o',
    'gpt-4.1-2025-04-14',
    'gpt-5-chat-latest',
    'gpt-50x',
    'sim-echo',
    'my-gpt-5',
    'orca-2',
    'llama-3',
    '',
  ])('%s does not, as far as is known', (id) => expect(reasonsByItself(id)).toBe(false));
});
