import { CONTROL } from './plausibility.js';

type Utf16 = 'utf-16le' | 'utf-16be';

const MARKS = [
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
] as const;
/** Maximum bytes inspected. */
const LOOKED_AT = 8_192;
/** Minimum share of ASCII to recognise UTF-16 without a byte order mark. */
const MIN_ASCII = 0.2;

/** UTF-16 by byte order mark. */
export function utf16Of(bytes: Buffer): Utf16 | null {
  return MARKS.find(({ mark }) => bytes.subarray(0, 2).equals(mark))?.encoding ?? null;
}

/** UTF-16 without byte order mark: ASCII characters have a zero in every other byte, and text has no other zeros. */
export function unmarkedUtf16Of(bytes: Buffer): Utf16 | null {
  const head = bytes.subarray(0, LOOKED_AT);
  const pairs = Math.floor(head.length / 2);
  if (pairs === 0) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    if (head[at] === 0) even += 1;
    if (head[at + 1] === 0) odd += 1;
  }
  const least = Math.max(1, pairs * MIN_ASCII);
  const encoding = odd >= least && even === 0 ? 'utf-16le' : even >= least && odd === 0 ? 'utf-16be' : null;
  if (encoding === null) return null;
  return CONTROL.test(new TextDecoder(encoding).decode(head.subarray(0, pairs * 2))) ? null : encoding;
}
