import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createParser } from 'eventsource-parser';
import { EventParser, type WireEvent } from './event-parser.js';

function parse(...pieces: string[]): WireEvent[] {
  const parser = new EventParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

const event = (name: string, id: string | null, data: string): WireEvent => ({ event: name, id, data });

const STREAM =
  'retry: 1000\n\n: a comment\nevent: text_delta\nid: 1\ndata: {"content":"Grüße 🚢"}\n\r\ndata: two\rdata:lines\r\n\r\n' +
  'event: heartbeat\ndata: {}\n\nid: 3\ndata\n\nevent: nothing\n\nunknown: x\ndata:  y\n\ndata: never ended';

const EXPECTED = [
  event('text_delta', '1', '{"content":"Grüße 🚢"}'),
  event('message', null, 'two\nlines'),
  event('heartbeat', null, '{}'),
  event('message', '3', ''),
  event('message', null, ' y'),
];

describe('a stream of events', () => {
  it('is read as the standard says', () => {
    expect(parse(STREAM)).toEqual(EXPECTED);
  });

  it('is the same in pieces of any size', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        const pieces: string[] = [];
        for (let at = 0, next = 0; at < STREAM.length; next += 1) {
          const size = sizes[next % sizes.length] ?? 1;
          pieces.push(STREAM.slice(at, at + size));
          at += size;
        }
        expect(parse(...pieces)).toEqual(EXPECTED);
      }),
    );
  });

  it('is read like another parser reads it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('data', 'event', ':', ' ', 'a', '\n', '\n\n', '\r\n', 'ü')),
        (parts) => {
          const text = parts.join('');
          const others: WireEvent[] = [];
          const other = createParser({
            onEvent: (found) => others.push(event(found.event ?? 'message', found.id ?? null, found.data)),
          });
          other.feed(text);
          expect(parse(text)).toEqual(others);
        },
      ),
    );
  });

  it('may begin with a byte order mark', () => {
    expect(parse('\uFEFFdata: a\n\n')).toEqual([event('message', null, 'a')]);
  });

  it('says the pause before a reconnection', () => {
    const parser = new EventParser();
    parser.push('retry: 2500\n\nretry: soon\n\n');
    expect(parser.retryMs).toBe(2_500);
  });

  it('does not take an id with a NUL', () => {
    expect(parse('id: a\0b\ndata: x\n\n')).toEqual([event('message', null, 'x')]);
  });
});
