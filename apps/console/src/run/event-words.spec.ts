import { describe, expect, it } from '@jest/globals';
import type { RunEvent } from '../api/types.js';
import { eventWords } from './event-words.js';

const wordsOf = (name: string, data: object) =>
  eventWords({ event: name, id: '1', data } as unknown as RunEvent);
const call = { tool_use_id: 'c', tool_name: 'find', round: 1 };

describe('an event in words', () => {
  it.each<[string, object, string]>([
    ['status', { status: 'requires_action', attempt: 2 }, 'requires action, attempt 2'],
    ['text_delta', { content: 'Good', round: 1 }, 'Good'],
    ['text_delta', { content: 'Good', round: 1, scope: '2.1' }, 'in 2.1: Good'],
    ['tool_use', { ...call, tool_input: { query: 'x' } }, 'find {"query":"x"}'],
    ['tool_result', { ...call, result: 'no', is_error: true }, 'find failed: no'],
    ['tool_progress', { ...call, message: 'reads', done: 2, total: 8 }, 'find, reads, 2 of 8'],
    ['tool_progress', { ...call, message: null, done: null, total: null }, 'find'],
    ['waiting', { kind: null }, 'Waits no longer'],
    ['waiting', { kind: 'slot', message: 'a worker has to be free' }, 'a worker has to be free'],
    ['result', { status: 'completed', result: { message: { content: 'Hi' } } }, 'completed: Hi'],
    ['result', { status: 'failed', result: null, error: { message: 'broke' } }, 'failed: broke'],
    ['step_skipped', { step: 'offer', because: 'branch' }, 'Step offer skipped: a branch leads past it'],
    ['invented_later', { anything: 1 }, '{"anything":1}'],
  ])('%s of %j', (name, data, words) => expect(wordsOf(name, data)).toBe(words));

  it('is cut', () =>
    expect(wordsOf('text_delta', { content: 'x'.repeat(9_000), round: 1 })).toHaveLength(300));
});
