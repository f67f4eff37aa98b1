import type { OrderLine } from './order-line.js';

const CORRECTION =
  /\b(?:make (?:that|it)|change (?:that|it|the)?|correction|sorry|i mean|rather|scratch that)\b|変更|訂正|修正|やっぱり/iu;

/** Whether the line revokes an earlier one. */
export function isCorrection(text: string): boolean {
  return CORRECTION.test(text);
}

/** Replaces quantity and unit of the line with the same goods; other goods are added. */
export function applyCorrection(lines: readonly OrderLine[], correction: OrderLine): readonly OrderLine[] {
  const at = lines.findLastIndex((line) => isSameGoods(line, correction));
  const line = lines[at];
  if (line === undefined) return [...lines, correction];
  const { quantity, doubts } = correction;
  const uom = correction.uom === '' ? line.uom : correction.uom;
  const originalText = `${line.originalText} / ${correction.originalText}`;
  return lines.with(at, { ...line, quantity, uom, doubts, originalText });
}

function isSameGoods(line: OrderLine, correction: OrderLine): boolean {
  if (line.code !== null && line.code === correction.code) return true;
  const [earlier, later] = [folded(line.name), folded(correction.name)];
  return (
    earlier !== '' &&
    later !== '' &&
    (earlier === later || earlier.includes(later) || later.endsWith(earlier))
  );
}

function folded(name: string): string {
  return name
    .toLowerCase()
    .replace(/(?<=\p{L}{3})s\b/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
