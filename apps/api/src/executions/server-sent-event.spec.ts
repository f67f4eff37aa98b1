import { describe, expect, it } from '@jest/globals';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import {
  formatServerSentEvent,
  parseLastEventId,
  RETRY_LINE,
  type OutgoingEvent,
} from './server-sent-event.js';

function parseAll(text: string): EventSourceMessage[] {
  const messages: EventSourceMessage[] = [];
  createParser({ onEvent: (message) => messages.push(message) }).feed(text);
  return messages;
}

describe('formatServerSentEvent', () => {
  it('writes id, event and data, and ends with an empty line', () => {
    const item: OutgoingEvent = { id: 1, event: 'status', data: { status: 'queued', attempt: 0 } };

    expect(formatServerSentEvent(item)).toBe(
      'id: 1\nevent: status\ndata: {"status":"queued","attempt":0}\n\n',
    );
  });

  it('gives a heartbeat no id, so that no client resumes after it', () => {
    expect(formatServerSentEvent({ event: 'heartbeat', data: {} })).toBe('event: heartbeat\ndata: {}\n\n');
  });

  it.each([
    ['line feeds', 'one\ntwo\n\nid: 99\nevent: result\ndata: {}\n\n'],
    ['carriage returns', 'one\rtwo\r\n\r\nevent: result\r\rdata: x'],
    ['separators of Unicode', 'one\u2028two\u2029three\u0085four'],
    ['a byte order mark and a NUL', '\ufeffone\u0000two'],
    ['Japanese and emoji', '発注 🍎'],
  ])('lets text with %s forge nothing', (_name, content) => {
    const text = formatServerSentEvent({ id: 7, event: 'text_delta', data: { content, round: 1 } });

    const messages = parseAll(RETRY_LINE + text + formatServerSentEvent({ event: 'heartbeat', data: {} }));

    expect(messages.map(({ id, event }) => [id, event])).toEqual([
      ['7', 'text_delta'],
      [undefined, 'heartbeat'],
    ]);
    expect(JSON.parse(messages[0]?.data ?? '')).toEqual({ content, round: 1 });
  });
});

describe('parseLastEventId', () => {
  it.each<[string | undefined, number | null]>([
    [undefined, null],
    ['', null],
    ['0', 0],
    ['17', 17],
    ['2147483647', 2_147_483_647],
  ])('reads %j as %j', (header, number) => expect(parseLastEventId(header)).toBe(number));

  it.each([['-1'], ['1.5'], ['abc'], ['2147483648'], [' 1'], ['1, 2'], ['1e3']])('refuses %j', (header) => {
    expect(() => parseLastEventId(header)).toThrow(
      'Last-Event-ID: must be the id of an event of this execution',
    );
  });
});
