import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { NumberedEvent } from '#libs/payloads';
import { resultOf } from '../../../test/contract/event-stream/sample-events.js';
import { toStoredEvents } from './stored-event.js';
import { eventsOf, packLines, parseMessage, toLine } from './wake-up.js';

const EXECUTION_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const text = (id: number, content: string): NumberedEvent => ({
  ...{ id, event: 'text_delta' },
  data: { content, round: 1 },
});
const ended = (id: number): NumberedEvent => ({ id, ...resultOf(EXECUTION_ID) });

function lineOf(executionId: string, events: readonly NumberedEvent[], isAtRest = false): string {
  return toLine({ executionId, firstId: events[0]?.id ?? 0, events: toStoredEvents(events), isAtRest });
}

/** The wake-up that subscribers receive for a line. */
function heard(line: string) {
  const [wakeUp] = parseMessage(line);
  return wakeUp && { ...wakeUp, events: eventsOf(wakeUp) };
}

describe('wake-ups of followers after an append', () => {
  const atRest = { executionId: 'a', isAtRest: true };

  it('is all of its events, under their numbers', () => {
    const events = [text(7, 'two\nlines, 発注'), text(8, '"'), ended(9)];
    expect(heard(lineOf('a', events, true))).toEqual({ ...atRest, events });
    expect(heard(lineOf('a', [text(2, '')]))).toEqual({
      ...{ executionId: 'a', isAtRest: false },
      events: [text(2, '')],
    });
  });

  it.each([
    ['the result, where there is room for no more', [text(7, '注'.repeat(2_650)), ended(8)], [ended(8)]],
    ['nothing but that there is something, where there is no room', [text(7, '注'.repeat(2_700))], null],
  ])('is %s', (_name, events, announced) => {
    const line = lineOf('a', events, true);
    expect(Buffer.byteLength(line)).toBeLessThan(8_000);
    expect(heard(line)).toEqual({ ...atRest, events: announced });
  });

  it.each([
    ['names the execution alone', 'a', false],
    ['has the result as before', `a ${JSON.stringify(resultOf(EXECUTION_ID).data)}`, true],
    ['has an event that this release does not know', 'a +[7,["text_delta",{}],["unheard_of",{}]]', false],
    ['has data of another shape', 'a ![7,["result",{"status":"exploded"}]]', true],
    ['has no JSON', 'a ![7,["result"', true],
    ['has something else', 'a ![]', true],
    ['has an object', 'a !{"0":7}', true],
    ['has no whole number first', 'a ![7.5,["text_delta",{"content":"x","round":1}]]', true],
    ['has an event without data', 'a ![7,["text_delta"]]', true],
    ['has an event with more', 'a ![7,["text_delta",{"content":"x","round":1},1]]', true],
  ])('is read and seen where another release %s', (_name, line, isAtRest) => {
    expect(heard(line)).toEqual({ executionId: 'a', isAtRest, events: null });
  });
});

describe('the messages that wake followers', () => {
  const inMessages = (lines: readonly string[]): string[] => {
    const messages: string[][] = [];
    for (const [index, message] of packLines(lines).entries())
      (messages[message] ??= []).push(lines[index] ?? '');
    return messages.map((own) => own.join('\n'));
  };

  it.each([0, 1, 2, 100, 1_000])('announce all of %i appends, in as few as PostgreSQL takes', (count) => {
    const ids = Array.from({ length: count }, () => randomUUID());
    const lines = ids.map((id) => lineOf(id, [text(2, 'x'.repeat(500))]));
    const messages = inMessages(lines);

    expect(messages.flatMap(parseMessage).map(({ executionId }) => executionId)).toEqual(ids);
    const perMessage = Math.floor(7_900 / (1 + Buffer.byteLength(lines[0] ?? 'x')));
    expect(messages).toHaveLength(Math.ceil(count / perMessage));
    for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(8_000);
  });
});
