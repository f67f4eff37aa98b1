import { analyse } from 'chardet';
import { CONTROL, plausibilityOf } from './plausibility.js';

/** Maximum bytes inspected, from the first non-ASCII byte. */
const SAMPLE_BYTES = 16_384;
/** Minimum plausibility of a text. */
const MIN_PLAUSIBLE = 0.4;

/** Encodings of the WHATWG standard that occur in unmarked files, most common first. */
const CANDIDATES = [
  ...['windows-1252', 'gb18030', 'shift_jis', 'big5', 'euc-kr', 'euc-jp', 'windows-1251', 'windows-1250'],
  ...['windows-1254', 'windows-1253', 'windows-1255', 'windows-1256', 'windows-1257', 'koi8-r', 'iso-8859-2'],
];

/** Lead bytes of frequent characters, which these standards separate from rare ones. */
const COMMON_LEADS: Readonly<Record<string, readonly [first: number, last: number]>> = {
  gb18030: [0xb0, 0xd7],
  shift_jis: [0x88, 0x97],
  'euc-jp': [0xb0, 0xcf],
  big5: [0xa4, 0xc6],
};

/**
 * Detects the encoding of an undeclared text that is not UTF-8, by plausibility and, on ties, by the statistics of
 * chardet; null if none is plausible. Pure.
 */
export function detectEncoding(bytes: Buffer): string | null {
  const sample = sampleOf(bytes);
  if (ESCAPED.test(sample.toString('latin1'))) return 'iso-2022-jp';
  const confidence = confidences(sample);
  let best: { readonly encoding: string; readonly score: number } | null = null;
  for (const encoding of CANDIDATES) {
    const plausibility = plausibilityIn(sample, encoding);
    if (plausibility < MIN_PLAUSIBLE) continue;
    const score = plausibility + TIE * (confidence.get(encoding) ?? 0);
    if (best === null || score > best.score) best = { encoding, score };
  }
  return best?.encoding ?? (isMostlyAscii(sample) ? 'windows-1252' : null);
}

/** A few non-ASCII characters do not suffice for detection; most such files are Windows-1252. */
function isMostlyAscii(sample: Buffer): boolean {
  const text = new TextDecoder('windows-1252').decode(sample);
  const beyond = text.match(/[^\0-\x7f]/g)?.length ?? 0;
  return beyond <= text.length * MAX_BEYOND_ASCII && !CONTROL.test(text);
}

const MAX_BEYOND_ASCII = 0.2;
/** Weight of the statistics relative to plausibility. */
const TIE = 0.2;
/** Escape sequence by which ISO-2022-JP switches to two-byte characters. */
const ESCAPED = /\x1b\$[@B]/;

function plausibilityIn(sample: Buffer, encoding: string): number {
  const text = decodeWhole(sample, encoding);
  if (text === null) return 0;
  const common = commonCharacters(encoding);
  return plausibilityOf(text, encoding, (character) => common?.has(character) ?? false);
}

/** Null for invalid bytes; a sample may end within a character. */
function decodeWhole(sample: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return null;
  }
}

const known = new Map<string, ReadonlySet<string>>();

function commonCharacters(encoding: string): ReadonlySet<string> | undefined {
  const leads = COMMON_LEADS[encoding];
  if (leads === undefined) return undefined;
  const found = known.get(encoding) ?? readRows(encoding, leads);
  known.set(encoding, found);
  return found;
}

function readRows(encoding: string, [first, last]: readonly [number, number]): ReadonlySet<string> {
  const decoder = new TextDecoder(encoding);
  const all = new Set<string>();
  for (let lead = first; lead <= last; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1)
      // Trail bytes below A1 belong to rare extensions of GB 2312.
      if (encoding !== 'gb18030' || trail >= 0xa1) all.add(decoder.decode(Uint8Array.of(lead, trail)));
  return all;
}

/** chardet's encodings that are decoded as a Windows encoding, their superset or close to it. */
const HELD_BY: Readonly<Record<string, string>> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-6': 'windows-1256',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-9': 'windows-1254',
};

/** Confidence per encoding, 0 to 1. */
function confidences(sample: Buffer): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { name, confidence } of analyse(sample)) {
    const label = HELD_BY[name.toLowerCase()] ?? name.toLowerCase();
    found.set(label, Math.max(found.get(label) ?? 0, confidence / 100));
  }
  return found;
}

function sampleOf(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte > 0x7f || byte === 0x1b);
  const from = Math.max(0, lineStart(bytes, first));
  return bytes.subarray(from, from + SAMPLE_BYTES);
}

/** Starts after a nearby line end, so that the sample does not begin within a character. */
function lineStart(bytes: Buffer, at: number): number {
  const near = bytes.subarray(Math.max(0, at - 200), Math.max(0, at)).lastIndexOf(0x0a);
  return near < 0 ? Math.max(0, at - 200) : Math.max(0, at - 200) + near + 1;
}
