import { describe, expect, it } from '@jest/globals';
import { whatToDo } from './check-model.ts';

describe('the message of a quickstart about a silent model', () => {
  it.each([
    ['key_refused', 'Put a key that works into OPENAI_API_KEY'],
    ['unreachable', 'Look at OPENAI_BASE_URL and at the network'],
    ['unknown_model', 'Set DEFAULT_MODEL to one that it has'],
    ['unusable', 'The model some-model cannot be used: so it is.'],
  ] as const)('where it is %s: what to do, and how to go on without one', (outcome, words) => {
    const text = whatToDo({ outcome, checks: [{ message: null }, { message: 'so it is' }] }, 'some-model');

    expect(text).toContain(words);
    expect(text).toContain('so it is');
    expect(text).toContain('then a simulated model answers');
  });
});
