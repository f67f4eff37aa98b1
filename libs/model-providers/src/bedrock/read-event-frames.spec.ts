import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { crc32 } from 'node:zlib';
import { BrokenFrame, readEventFrames, type EventFrame } from './read-event-frames.js';

/** A frame with these header bytes. */
function frame(headers: Buffer, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(16 + headers.length + payload.length);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.writeUInt32BE(headers.length, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  headers.copy(bytes, 12);
  payload.copy(bytes, 12 + headers.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, bytes.length - 4)), bytes.length - 4);
  return bytes;
}
const name = (text: string) => Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
const texts = (value: string) =>
  Buffer.concat([name(':event-type'), Buffer.of(7, 0, value.length), Buffer.from(value)]);

async function read(...pieces: Uint8Array[]): Promise<EventFrame[]> {
  const found: EventFrame[] = [];
  for await (const some of readEventFrames(pieces)) found.push(...some);
  return found;
}

describe('readEventFrames', () => {
  const bytes = Buffer.concat([
    frame(texts('chunk'), Buffer.from('{"a":"世界"}')),
    frame(Buffer.alloc(0), Buffer.alloc(0)),
    frame(texts('end'), Buffer.alloc(3_000, 'x')),
  ]);

  it('reads any cutting of a body as the same frames', async () => {
    const expected = await read(bytes);
    expect(expected.map(({ headers }) => headers)).toEqual([
      { ':event-type': 'chunk' },
      {},
      { ':event-type': 'end' },
    ]);
    expect(expected[0]?.payload.toString()).toBe('{"a":"世界"}');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (places) => {
        const at = [0, ...places.toSorted((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(await read(...pieces)).toEqual(expected);
      }),
    );
  });

  it('skips headers of other types', async () => {
    const headers = Buffer.concat([
      ...[name('t'), Buffer.of(0), name('b'), Buffer.of(2, 5), name('i'), Buffer.of(4, 0, 0, 0, 1)],
      ...[name('r'), Buffer.of(6, 0, 2, 1, 2), name('d'), Buffer.of(8), Buffer.alloc(8)],
      ...[name('u'), Buffer.of(9), Buffer.alloc(16), texts('chunk'), name('f'), Buffer.of(1)],
    ]);
    expect((await read(frame(headers, Buffer.alloc(0))))[0]?.headers).toEqual({ ':event-type': 'chunk' });
  });

  it.each<[string, Buffer]>([
    ['a header of an unknown type', frame(Buffer.concat([name('t'), Buffer.of(77)]), Buffer.alloc(0))],
    ['a header that is cut off', frame(Buffer.concat([name('t'), Buffer.of(7, 0, 9)]), Buffer.alloc(0))],
    ['a length without a value', frame(Buffer.concat([name('t'), Buffer.of(7)]), Buffer.alloc(0))],
    ['half a frame', bytes.subarray(0, 20)],
    ['a length of 15 bytes', Buffer.from([0, 0, 0, 15, ...Buffer.alloc(11)])],
    ['another byte in the payload', bytes.with(40, 1 ^ (bytes[40] ?? 0)) as Buffer],
  ])('refuses %s', async (_case, wrong) => {
    await expect(read(Buffer.from(wrong))).rejects.toBeInstanceOf(BrokenFrame);
  });
});
