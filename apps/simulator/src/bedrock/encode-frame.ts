import { crc32 } from 'node:zlib';

const TEXT_TYPE = 7;
/** Lengths and their checksum before the headers, and a checksum behind the payload. */
const PRELUDE_BYTES = 12;
const END_BYTES = 4;

/** One message of Amazon's event stream. */
export function encodeFrame(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const named = Buffer.concat(Object.entries(headers).map(([name, value]) => encodeHeader(name, value)));
  const body = Buffer.from(payload, 'utf8');
  const frame = Buffer.alloc(PRELUDE_BYTES + named.length + body.length + END_BYTES);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(named.length, 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  named.copy(frame, PRELUDE_BYTES);
  body.copy(frame, PRELUDE_BYTES + named.length);
  const end = frame.length - END_BYTES;
  frame.writeUInt32BE(crc32(frame.subarray(0, end)), end);
  return frame;
}

function encodeHeader(name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name, 'utf8'), Buffer.from(value, 'utf8')];
  const size = Buffer.alloc(2);
  size.writeUInt16BE(text.length);
  return Buffer.concat([Buffer.of(key.length), key, Buffer.of(TEXT_TYPE), size, text]);
}
