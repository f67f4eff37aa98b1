import { crc32 } from 'node:zlib';

/** One message of Amazon's event stream. */
export interface EventFrame {
  /** Headers that are texts; all that matter are. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

/** A broken frame; the rest of the stream cannot be read. */
export class BrokenFrame extends SyntaxError {}

/** Bytes before the headers: both lengths and their checksum. */
const PRELUDE_BYTES = 12;
/** Checksum behind the payload. */
const END_BYTES = 4;
/** Maximum bytes of one frame, the same as of a line of other streams. */
const MAX_FRAME_BYTES = 4 * 1_024 * 1_024;

/** Bytes of a header's value by its type; null for those that begin with a length of two bytes. */
const SIZES: readonly (number | null)[] = [0, 0, 1, 2, 4, 8, null, null, 8, 16];
const TEXT_TYPE = 7;

/**
 * Frames of a body, those that each piece completes together. Iterating throws `BrokenFrame` for a wrong checksum and an
 * impossible length, and the end of the body for a frame that is not whole.
 */
export async function* readEventFrames(
  body: AsyncIterable<Uint8Array> | readonly Uint8Array[],
): AsyncGenerator<Iterable<EventFrame>, void, undefined> {
  let pending = Buffer.alloc(0);
  function* framesOf(piece: Uint8Array): Generator<EventFrame, void, undefined> {
    pending = pending.length === 0 ? Buffer.from(piece) : Buffer.concat([pending, piece]);
    for (let size = sizeOf(pending); size !== null && size <= pending.length; size = sizeOf(pending)) {
      yield readFrame(pending.subarray(0, size));
      pending = pending.subarray(size);
    }
  }
  for await (const piece of body) yield framesOf(piece);
  if (pending.length > 0) throw new BrokenFrame('the last frame is not whole');
}

/** Bytes of the first frame; null while its beginning is not there. */
function sizeOf(pending: Buffer): number | null {
  if (pending.length < PRELUDE_BYTES) return null;
  const size = pending.readUInt32BE(0);
  const isPossible = size >= PRELUDE_BYTES + END_BYTES && size <= MAX_FRAME_BYTES;
  if (!isPossible || crc32(pending.subarray(0, 8)) !== pending.readUInt32BE(8))
    throw new BrokenFrame('the beginning of a frame is wrong');
  return size;
}

function readFrame(frame: Buffer): EventFrame {
  const end = frame.length - END_BYTES;
  if (crc32(frame.subarray(0, end)) !== frame.readUInt32BE(end)) throw new BrokenFrame('a checksum is wrong');
  const payloadAt = PRELUDE_BYTES + frame.readUInt32BE(4);
  if (payloadAt > end) throw new BrokenFrame('the headers of a frame are longer than it');
  return {
    headers: readHeaders(frame.subarray(PRELUDE_BYTES, payloadAt)),
    payload: frame.subarray(payloadAt, end),
  };
}

function readHeaders(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes[nameEnd] ?? SIZES.length;
    const fixed = SIZES[type];
    if (fixed === undefined || nameEnd + 3 > bytes.length + (fixed === null ? 0 : 2))
      throw new BrokenFrame('a header of a frame is wrong');
    const start = nameEnd + (fixed === null ? 3 : 1);
    const size = fixed ?? bytes.readUInt16BE(nameEnd + 1);
    if (start + size > bytes.length) throw new BrokenFrame('a header of a frame is longer than it');
    if (type === TEXT_TYPE) headers[name] = bytes.toString('utf8', start, start + size);
    at = start + size;
  }
  return headers;
}
