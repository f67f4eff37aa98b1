import { classifyLine } from './classify-line.js';
import { cleanRemark } from './clean-name.js';
import { applyCorrection, isCorrection } from './correct-lines.js';
import { findAccount, findCustomerName } from './customer-name.js';
import type { OrderLine, ReadOrder } from './order-line.js';
import { detectLanguage, prepareLines, separateContext, type PreparedLine } from './prepare-text.js';
import { readBareLine, readAmountlessLine } from './read-bare-line.js';
import { readLine } from './read-line.js';

/** Maximum lines, above the number that customers write by hand. */
const MAX_LINES = 200;
const MAX_NOTES = 5;
/** Minimum lines of a list; in a list, lines without a unit count, too. */
const LIST_LENGTH = 2;

/** Possible meanings of a line, chosen once all lines are known. */
type Reading =
  | { readonly kind: 'goods'; readonly lines: readonly OrderLine[] }
  | { readonly kind: 'correction'; readonly lines: readonly OrderLine[] }
  | { readonly kind: 'bare'; readonly line: OrderLine; readonly isSure: boolean }
  | { readonly kind: 'amountless'; readonly line: OrderLine }
  | { readonly kind: 'remark'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string };

/** Reads a customer's order in English or Japanese, by rules only. */
export function readOrder(text: string): ReadOrder {
  const { text: own, accountName } = separateContext(text);
  const prepared = prepareLines(own);
  const readings = prepared.flatMap(interpret);
  const notes = readings.flatMap((reading) => (reading.kind === 'note' ? [reading.text] : []));
  return {
    language: detectLanguage(own),
    lines: collectLines(readings).slice(0, MAX_LINES),
    customer: { name: accountName ?? findCustomerName(prepared), account: findAccount(prepared) },
    notes: notes.slice(0, MAX_NOTES),
  };
}

function interpret(line: PreparedLine): readonly Reading[] {
  const goods = readLine(line.text);
  const role = classifyLine(line.text, goods.length > 0);
  if (role === 'ignored') return [];
  if (role === 'note') return line.isBelowClosing ? [] : [{ kind: 'note', text: line.text }];
  if (goods.length > 0) return [{ kind: isCorrection(line.text) ? 'correction' : 'goods', lines: goods }];
  if (line.isBelowClosing) return [];
  if (role === 'remark') return [{ kind: 'remark', text: line.text }];
  const bare = readBareLine(line.text, line.isBulleted);
  if (bare !== null) return [{ kind: 'bare', ...bare }];
  const amountless = line.isBulleted ? readAmountlessLine(line.text) : null;
  return amountless === null ? [] : [{ kind: 'amountless', line: amountless }];
}

/** In a list, lines without a unit count, too; lines without a number become questions for a person. */
function collectLines(readings: readonly Reading[]): readonly OrderLine[] {
  const counted = readings.filter((reading) => reading.kind === 'goods' || reading.kind === 'bare').length;
  const isList = counted >= LIST_LENGTH;
  return readings.reduce<readonly OrderLine[]>((lines, reading) => {
    switch (reading.kind) {
      case 'goods':
        return [...lines, ...reading.lines];
      case 'correction':
        return reading.lines.reduce(applyCorrection, lines);
      case 'bare':
        return reading.isSure || isList ? [...lines, reading.line] : lines;
      case 'amountless':
        return isList ? [...lines, reading.line] : lines;
      case 'remark':
        return addRemark(lines, reading.text);
      case 'note':
        return lines;
    }
  }, []);
}

function addRemark(lines: readonly OrderLine[], text: string): readonly OrderLine[] {
  const [last, remark] = [lines.at(-1), cleanRemark(text)];
  if (last === undefined || remark === null) return lines;
  const remarks = [last.remark, remark].filter((part) => part !== null);
  return [...lines.slice(0, -1), { ...last, remark: remarks.join('; ') }];
}
