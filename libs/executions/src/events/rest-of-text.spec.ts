import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent, ExecutionResult } from '#libs/payloads';
import { InMemoryEventStream } from '../../../../test/support/fakes/in-memory-event-stream.js';
import { findRestOfText } from './rest-of-text.js';

const ID = 'e1';
const text = (content: string, round = 2, scope?: string): ExecutionEvent => ({
  event: 'text_delta',
  data: { content, round, ...(scope !== undefined && { scope }) },
});
const restarted = (round: number, scope?: string): ExecutionEvent => ({
  event: 'attempt_restarted',
  data: { attempt: 2, round, ...(scope !== undefined && { scope }) },
});

/** Missing text of an execution that answered `content` in its second round. */
function rest(
  events: readonly ExecutionEvent[],
  lastId = events.length + 1,
  { content = 'abcdef', status = 'completed' } = {},
) {
  const stream = new InMemoryEventStream();
  void stream.append(ID, 2, events);
  const result = { status, num_turns: 2, result: { message: { content } } } as ExecutionResult;
  return findRestOfText(stream, ID, lastId, result);
}

describe('the missing part of an answer', () => {
  it.each<[string, readonly ExecutionEvent[], string | null]>([
    ['nothing where all was written', [text('abc'), text('def')], null],
    ['the end where that was not written', [text('ab'), text('cd')], 'ef'],
    ['unknown where the stream holds nothing', [], null],
    ['all where only earlier rounds were written', [text('Let me look.', 1)], 'abcdef'],
    ['all where only scopes inside spoke', [text('abc', 2, '1.0')], 'abcdef'],
    ['all where a later attempt has dropped what there was', [text('abc'), restarted(2)], 'abcdef'],
    ['all where it has dropped more than that', [text('abc'), restarted(1)], 'abcdef'],
    ['the end where a later attempt began after it', [text('abc'), restarted(3)], 'def'],
    ['the end where one of a scope inside began anew', [text('abc'), restarted(1, '1.0')], 'def'],
    ['unknown where a piece in the middle is missing', [text('ab'), text('ef')], null],
  ])('is %s', async (_what, events, content) => {
    expect(await rest(events)).toEqual(content === null ? null : text(content));
  });

  it('is what it has not seen, though the stream holds more by now', async () => {
    expect(await rest([text('ab'), text('cd')], 2)).toEqual(text('cdef'));
  });

  it('is found behind any number of events', async () => {
    const content = 'x'.repeat(500);
    const written = Array.from({ length: 450 }, () => text('x'));
    expect(await rest(written, 451, { content })).toEqual(text('x'.repeat(50)));
  });

  it.each(['failed', 'cancelled', 'incomplete'] as const)('is nothing where it has %s', async (status) => {
    expect(await rest([text('ab')], 2, { status })).toBeNull();
  });
});
