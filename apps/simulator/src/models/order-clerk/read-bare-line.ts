import { cleanName, isWordy } from './clean-name.js';
import { DIGITS, readNumber } from './numbers.js';
import type { OrderLine } from './order-line.js';
import { plainCode } from './read-line.js';
import { scanLine } from './scan-line.js';
import { takeUnit, uomOf } from './units.js';

/** A line that may be an order line without a unit. `isSure`: a bullet, a code or "x" says so. */
export interface BareLine {
  readonly line: OrderLine;
  readonly isSure: boolean;
}

const MOST_WORDS = 6;
const MOST_PIECES = 999;
const LEADING = new RegExp(String.raw`^\W*(?<amount>${DIGITS})\s*[:.-]?\s+(?<name>\S.*)$`, 'u');
const TRAILING = new RegExp(String.raw`^(?<name>.*\S)[\s:=.…-]+(?<amount>${DIGITS})\W*$`, 'u');
const ALONE = new RegExp(String.raw`^\W*(?<amount>${DIGITS})\W*$`, 'u');
/** Words that lists of goods do not have. */
const SENTENCE = /\b(?:is|are|was|were|will|has|have|had|we|you|they|he|she|my|your|our|this|that|here|see|page|pages|total|of)\b|[?!]|です|ます/iu;

/** Reads "12 lemons", "lemons 12" or "10023 3". Null for what does not look like a line of a list. */
export function readBareLine(text: string, isBulleted: boolean): BareLine | null {
  const scanned = scanLine(text);
  if (scanned.quantities.length > 0) return null;
  const code = scanned.codes[0] ?? null;
  const { rest } = scanned;
  const match = (code === null ? null : ALONE.exec(rest)) ?? LEADING.exec(rest) ?? TRAILING.exec(rest);
  const amount = readNumber(match?.groups?.['amount'] ?? '');
  const { name, kind } = takeUnit(cleanName(match?.groups?.['name'] ?? ''));
  if (amount === null || amount > MOST_PIECES || (code === null && !isGoods(name))) return null;
  const codeText = code === null ? null : plainCode(code.written);
  const line: OrderLine = {
    originalText: text.trim(),
    query: codeText ?? name,
    code: codeText,
    name,
    quantity: amount,
    uom: kind === null ? '' : uomOf(kind),
    pack: scanned.packs.map((pack) => pack.written).join(' ') || null,
    remark: null,
    doubts: [],
  };
  return { line, isSure: isBulleted || code !== null };
}

/** Reads a list entry without any number: something is wanted, nobody knows how much. */
export function readNamelessAmount(text: string): OrderLine | null {
  const scanned = scanLine(text);
  const code = scanned.codes[0] ?? null;
  const name = cleanName(scanned.rest);
  if (scanned.quantities.length > 0 || /\d/.test(scanned.rest) || (code === null && !isGoods(name))) return null;
  const codeText = code === null ? null : plainCode(code.written);
  return {
    originalText: text.trim(),
    query: codeText ?? name,
    code: codeText,
    name,
    quantity: 0,
    uom: '',
    pack: scanned.packs.map((pack) => pack.written).join(' ') || null,
    remark: null,
    doubts: [{ kind: 'no_quantity' }],
  };
}

function isGoods(name: string): boolean {
  return isWordy(name) && !SENTENCE.test(name) && !/\d/.test(name) && name.split(/\s+/).length <= MOST_WORDS;
}
