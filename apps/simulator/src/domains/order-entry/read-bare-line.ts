import { cleanName, isWordy } from './clean-name.js';
import { DIGITS, readNumber } from './numbers.js';
import type { OrderLine } from './order-line.js';
import { plainCode } from './read-line.js';
import { scanLine, type ScannedLine } from './scan-line.js';
import { takeUnit, uomOf } from './units.js';

/** A possible order line without a unit; `isSure` if a bullet or an item code supports it. */
export interface BareLine {
  readonly line: OrderLine;
  readonly isSure: boolean;
}

const MAX_WORDS = 6;
const MAX_PIECES = 999;
const LEADING = new RegExp(String.raw`^\W*(?<amount>${DIGITS})\s*[:.-]?\s+(?<name>\S.*)$`, 'u');
const TRAILING = new RegExp(String.raw`^(?<name>.*\S)[\s:=.…-]+(?<amount>${DIGITS})\W*$`, 'u');
const ALONE = new RegExp(String.raw`^\W*(?<amount>${DIGITS})\W*$`, 'u');
/** Words that do not occur in lists of goods. */
const SENTENCE =
  /\b(?:is|are|was|were|will|has|have|had|we|you|they|he|she|my|your|our|this|that|here|see|page|pages|total|of)\b|[?!]|です|ます/iu;

/** Reads "12 lemons", "lemons 12" or "10023 3"; null for text that does not look like a list entry. */
export function readBareLine(text: string, isBulleted: boolean): BareLine | null {
  const scanned = scanLine(text);
  if (scanned.quantities.length > 0) return null;
  const hasCode = scanned.codes.length > 0;
  const { rest } = scanned;
  const match = (hasCode ? ALONE.exec(rest) : null) ?? LEADING.exec(rest) ?? TRAILING.exec(rest);
  const amount = readNumber(match?.groups?.['amount'] ?? '');
  const { name, kind } = takeUnit(cleanName(match?.groups?.['name'] ?? ''));
  if (amount === null || amount > MAX_PIECES || (!hasCode && !isGoods(name))) return null;
  const line = { ...listLine(scanned, name), quantity: amount, uom: kind === null ? '' : uomOf(kind) };
  return { line, isSure: isBulleted || hasCode };
}

/** Reads a list entry without a number: goods with an unknown quantity. */
export function readAmountlessLine(text: string): OrderLine | null {
  const scanned = scanLine(text);
  const name = cleanName(scanned.rest);
  const isListed = scanned.codes.length > 0 || isGoods(name);
  if (scanned.quantities.length > 0 || /\d/.test(scanned.rest) || !isListed) return null;
  return { ...listLine(scanned, name), doubts: [{ kind: 'no_quantity' }] };
}

function listLine(scanned: ScannedLine, name: string): OrderLine {
  const code = scanned.codes[0] === undefined ? null : plainCode(scanned.codes[0].written);
  return {
    originalText: scanned.text.trim(),
    query: code ?? name,
    code,
    name,
    quantity: 0,
    uom: '',
    pack: scanned.packs.map((pack) => pack.written).join(' ') || null,
    remark: null,
    doubts: [],
  };
}

function isGoods(name: string): boolean {
  return isWordy(name) && !SENTENCE.test(name) && !/\d/.test(name) && name.split(/\s+/).length <= MAX_WORDS;
}
