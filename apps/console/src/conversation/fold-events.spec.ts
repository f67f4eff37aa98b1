import { describe, expect, it } from '@jest/globals';
import type { RunEvent } from '../api/types.js';
import { EMPTY_CONVERSATION, foldEvents } from './fold-events.js';

let count = 0;
const event = (name: string, data: object) =>
  ({ event: name, id: String((count += 1)), data }) as unknown as RunEvent;

const delta = (content: string, round: number, scope?: string) =>
  event('text_delta', { content, round, ...(scope === undefined ? {} : { scope }) });
const toolUse = (id: string, round: number) =>
  event('tool_use', { tool_use_id: id, tool_name: 'find_parcel', tool_input: { number: 7 }, round });
const toolResult = (id: string, result: string) =>
  event('tool_result', { tool_use_id: id, tool_name: 'find_parcel', result, is_error: false, round: 1 });
const answer = (content: string) => event('result', { result: { message: { content } } });

/** Entries without their keys, as short lines. */
function linesOf(...events: RunEvent[]): string[] {
  return foldEvents(EMPTY_CONVERSATION, events).entries.map((entry) => {
    if (entry.kind === 'tool') return `tool ${entry.name} ${entry.result?.text ?? '…'}`;
    return `${entry.kind} ${entry.text}`;
  });
}

describe('a conversation', () => {
  it('joins the text of a round and holds calls where they were made', () => {
    expect(
      linesOf(
        delta('Let me ', 1),
        delta('look.', 1),
        toolUse('a', 1),
        toolResult('a', 'found'),
        delta('Done.', 2),
      ),
    ).toEqual(['text Let me look.', 'tool find_parcel found', 'text Done.']);
  });

  it('is the same in one group of events or in several', () => {
    const events = [delta('A', 1), toolUse('a', 1), toolResult('a', 'x'), delta('B', 2), answer('B')];
    const oneByOne = events.reduce((before, each) => foldEvents(before, [each]), EMPTY_CONVERSATION);
    expect(oneByOne).toEqual(foldEvents(EMPTY_CONVERSATION, events));
  });

  it('changes nothing that was shown before', () => {
    const before = foldEvents(EMPTY_CONVERSATION, [delta('A', 1), toolUse('a', 1)]);
    const kept = structuredClone(before);
    foldEvents(before, [toolResult('a', 'x'), event('attempt_restarted', { attempt: 2, round: 1 })]);
    expect(before).toEqual(kept);
  });

  it('joins the text of sub-agents that run beside each other', () => {
    expect(linesOf(delta('one ', 1, '1.0'), delta('two ', 1, '1.1'), delta('ends', 1, '1.0'))).toEqual([
      'text one ends',
      'text two ',
    ]);
  });

  it('drops the text of a round that another attempt says anew, and of no other', () => {
    const restarted = event('attempt_restarted', { attempt: 2, round: 2 });
    expect(
      linesOf(
        delta('First.', 1),
        delta('half a sen', 2),
        delta('inside', 2, '1.0'),
        restarted,
        delta('Second.', 2),
      ),
    ).toEqual([
      'text First.',
      'text inside',
      'note Attempt 2 goes on from round 2: the worker before it was lost',
      'text Second.',
    ]);
  });

  it('shows an answer that was streamed once, and one that was not', () => {
    expect(linesOf(delta('Good morning', 1), answer('Good morning'))).toEqual(['text Good morning']);
    expect(linesOf(toolUse('a', 1), answer('Good morning'))).toEqual([
      'tool find_parcel …',
      'text Good morning',
    ]);
  });

  it('shows a call once that a later attempt makes again', () => {
    expect(linesOf(toolUse('a', 1), toolUse('a', 1), toolResult('a', 'found'))).toEqual([
      'tool find_parcel found',
    ]);
  });

  it('says when another model is asked, and why a step is skipped', () => {
    expect(
      linesOf(
        event('model_switched', { round: 1, from: 'large', model: 'small', reason: 'rate_limited' }),
        event('step_skipped', { step: 'offer', because: 'branch' }),
        event('step_skipped', { step: 'check', because: 'condition' }),
      ),
    ).toEqual([
      'note small is asked in place of large: the model before it is limited for too long',
      'note Step offer skipped: a branch leads past it',
      'note Step check skipped: its condition does not hold',
    ]);
  });

  it('passes over kinds of events that it does not know', () => {
    expect(linesOf(event('invented_later', { anything: 1 }), delta('A', 1))).toEqual(['text A']);
  });
});
