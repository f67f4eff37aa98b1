import { describe, expect, it } from '@jest/globals';
import { APIError } from 'openai';
import { readEvents } from './read-events.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* inPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

function eventsOf(...pieces: readonly (string | Uint8Array)[]) {
  const body = inPieces(pieces.map((piece) => (typeof piece === 'string' ? bytes(piece) : piece)));
  return readEvents({ headers: new Headers({ 'x-request-id': 'req_1' }), body });
}

/** The events of the first piece. */
async function firstOf(...pieces: readonly string[]): Promise<Iterator<unknown>> {
  const { value } = await eventsOf(...pieces).next();
  return (value ?? [])[Symbol.iterator]();
}

describe('readEvents', () => {
  it.each<[string, readonly string[], readonly number[]]>([
    ['also of a piece without one', [': thinking\n\n', 'data: 1\n\ndata: 2\n\n'], [0, 2, 0]],
    ['none where nothing comes', [], []],
  ])('yields the events of each piece together, %s', async (_name, pieces, expected) => {
    const counts: number[] = [];
    for await (const part of eventsOf(...pieces)) counts.push([...part].length);

    expect(counts).toEqual(expected);
  });

  it.each<[string, readonly (string | Uint8Array)[], readonly unknown[]]>([
    ['reads what comes in one piece', ['data: {"a":1}\n\ndata: {"a":2}\n\n'], [{ a: 1 }, { a: 2 }]],
    ['reads an event that was cut anywhere', ['da', 'ta: {"a"', ':1}\n', '\n'], [{ a: 1 }]],
    ['passes over comments and names', [': ping\n\nevent: a\r\ndata: {"a":1}\r\n\r\n'], [{ a: 1 }]],
    ['reads no further than the last event', ['data: 1\n\ndata: [DONE]\n\ndata: 2\n\n'], [1]],
    ['counts a whole last event without its blank line', ['data: {"a":1}'], [{ a: 1 }]],
    [
      'puts characters together that were cut',
      [bytes('data: "é"\n\n').slice(0, 8), bytes('data: "é"\n\n').slice(8)],
      ['é'],
    ],
    ['reads nothing of nothing', [], []],
  ])('%s', async (_name, pieces, expected) => {
    const events: unknown[] = [];
    for await (const part of eventsOf(...pieces)) events.push(...part);

    expect(events).toEqual(expected);
  });

  it('yields what came before an event that is no JSON', async () => {
    const events = await firstOf('data: 1\n\ndata: {"a":\n\n');

    expect(events.next()).toEqual({ done: false, value: 1 });
    expect(() => events.next()).toThrow(SyntaxError);
  });

  it.each([
    ['by its name', 'event: error\ndata: {"code":"busy"}\n\n'],
    ['inside an event', 'data: {"error":{"code":"busy"}}\n\n'],
    ['by both', 'event: error\ndata: {"error":{"code":"busy"}}\n\n'],
  ])('throws the failure that a server reports %s', async (_name, text) => {
    const events = await firstOf(text);
    let failure: unknown;
    try {
      events.next();
    } catch (error) {
      failure = error;
    }

    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ code: 'busy', requestID: 'req_1' });
  });
});
