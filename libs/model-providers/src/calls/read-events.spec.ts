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

describe('readEvents', () => {
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
    for await (const event of eventsOf(...pieces)) events.push(event);

    expect(events).toEqual(expected);
  });

  it('yields what came before an event that is no JSON', async () => {
    const events = eventsOf('data: 1\n\ndata: {"a":\n\n');

    expect(await events.next()).toEqual({ done: false, value: 1 });
    await expect(events.next()).rejects.toBeInstanceOf(SyntaxError);
  });

  it.each([
    ['by its name', 'event: error\ndata: {"code":"busy"}\n\n'],
    ['inside an event', 'data: {"error":{"code":"busy"}}\n\n'],
    ['by both', 'event: error\ndata: {"error":{"code":"busy"}}\n\n'],
  ])('throws the failure that a server reports %s', async (_name, text) => {
    const failure: unknown = await eventsOf(text)
      .next()
      .catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ code: 'busy', requestID: 'req_1' });
  });
});
