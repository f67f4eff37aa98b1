import { asksForWhatFollows, cleanName, cleanRemark, isRemark, isWordy } from './clean-name.js';
import type { OrderLine, ReadingDoubt } from './order-line.js';
import type { Quantity, Span } from './scan-line.js';
import { scanLine } from './scan-line.js';
import { isSize, splitSegments, type Segment } from './split-segments.js';
import { takeUnit, uomOf } from './units.js';

/** Parts of an order line, collected while the line is read. */
interface Draft {
  readonly start: number;
  end: number;
  name: string;
  readonly code: Span | null;
  quantity: Quantity;
  readonly packs: Span[];
  readonly remarks: string[];
}

/** Reads one order line for each quantity with a name or code. `text` is NFKC-normalised. */
export function readLine(text: string): readonly OrderLine[] {
  const drafts: Draft[] = [];
  let waiting: Segment[] = [];
  for (const segment of splitSegments(scanLine(text))) {
    const last = drafts.at(-1);
    if (segment.quantity !== null && (hasName(segment) || waiting.length > 0)) {
      drafts.push(startDraft(segment, segment.quantity, waiting));
      waiting = [];
    } else if (last === undefined) {
      if (hasName(segment) || segment.packs.length > 0) waiting.push(segment);
    } else {
      continueDraft(last, segment);
    }
  }
  return drafts.map((draft) => finishDraft(draft, text)).filter((line) => line.query !== '');
}

function hasName(segment: Segment): boolean {
  return segment.code !== null || isWordy(segment.before) || isWordy(segment.after);
}

/** `waiting` are preceding parts without a quantity, as in "Tomatoes, Roma, 3 cs". */
function startDraft(segment: Segment, quantity: Quantity, waiting: readonly Segment[]): Draft {
  const { name, remark } = nameAndRemark(segment);
  const kept = isWordy(name)
    ? waiting.filter((part) => isWordy(segment.before) && isPartOfName(part))
    : waiting;
  return {
    start: kept[0]?.start ?? segment.start,
    end: segment.end,
    name: [...kept.map((part) => cleanName(part.before)), cleanName(name)]
      .filter((part) => part !== '')
      .join(' '),
    code: segment.code ?? kept.map((part) => part.code).find((code) => code !== null) ?? null,
    quantity,
    packs: [...kept.flatMap((part) => part.packs), ...segment.packs],
    remarks: remark === null ? [] : [remark],
  };
}

/** A short part without "hello" or "please" may be the first half of a name: "Tomatoes, Roma 3 cs". */
function isPartOfName(segment: Segment): boolean {
  const words = segment.before.trim();
  if (words === '') return segment.packs.length > 0;
  return (
    segment.code !== null ||
    (cleanName(words) === words && words.split(/\s+/).length <= 2 && !isRemark(words))
  );
}

function nameAndRemark(segment: Segment): { readonly name: string; readonly remark: string | null } {
  const { before } = segment;
  const after = segment.after.replace(/^\s*の/u, ' of ');
  if (!isWordy(before) || asksForWhatFollows(before) || /^\s*of\b/iu.test(after)) return splitRemark(after);
  if (!isWordy(after)) return splitRemark(before);
  return isRemark(after.trim())
    ? { ...splitRemark(before), remark: cleanRemark(after) }
    : { name: `${before} ${after}`, remark: null };
}

/** Splits off a bracketed remark, unless the bracket only extends the name: "lemons (no substitutes)", "tomatoes (roma)". */
function splitRemark(text: string): { readonly name: string; readonly remark: string | null } {
  const bracket = /[([（]([^)\]）]*)[)\]）]/u.exec(text);
  const inside = bracket?.[1]?.trim() ?? '';
  if (bracket === null || !isWordy(inside) || !isRemark(inside)) return { name: text, remark: null };
  return { name: text.replace(bracket[0], ' '), remark: cleanRemark(inside) };
}

/** Adds a part that follows a quantity: a pack size, a remark, or the rest of the name. */
function continueDraft(draft: Draft, segment: Segment): void {
  draft.packs.push(...segment.packs);
  if (segment.quantity !== null) {
    const isBetter = isSize(draft.quantity) && !isSize(segment.quantity);
    draft.packs.push(isBetter ? draft.quantity : segment.quantity);
    if (isBetter) draft.quantity = segment.quantity;
    draft.end = segment.end;
    return;
  }
  const text = segment.before.replace(/[()（）]/gu, ' ').trim();
  if (!isWordy(text)) return;
  draft.end = segment.end;
  if (isRemark(text)) {
    const remark = cleanRemark(text);
    if (remark !== null) draft.remarks.push(remark);
  } else {
    draft.name = `${draft.name} ${cleanName(text)}`;
  }
}

function finishDraft(draft: Draft, text: string): OrderLine {
  const { quantity, code } = draft;
  const apart = quantity.kind === null ? takeUnit(draft.name) : { name: draft.name, kind: quantity.kind };
  const { name, kind } = apart;
  const dozens = quantity.kind === 'dozen' ? [`${quantity.amount} dozen`] : [];
  const remarks = [...draft.remarks, ...dozens];
  const codeText = code === null ? null : plainCode(code.written);
  return {
    originalText: plainWords(text.slice(draft.start, draft.end)),
    query: codeText ?? name,
    code: codeText,
    name,
    quantity: quantity.kind === 'dozen' ? quantity.amount * 12 : quantity.amount,
    uom: kind === null ? '' : uomOf(kind),
    pack: draft.packs.map((pack) => pack.written).join(' ') || null,
    remark: remarks.join('; ') || null,
    doubts: doubtsAbout(quantity),
  };
}

/** The customer's words for this line, without the conjunction that joins it to another. */
function plainWords(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:(?:and|plus)\b|[&、,]|と(?=[^ぁ-ん])|及び)\s*/iu, '');
}

/** The code without a prefix like "item no." or "#". */
export function plainCode(written: string): string {
  return written
    .replace(/^(?:(?:item|code|sku|art|no|品番|商品コード|コード)[\s.:：#]*|[#\s:：]+)+/iu, '')
    .trim();
}

/** Cases from which a quantity counts as unusually large. */
const MANY_CASES = 100;

function doubtsAbout(quantity: Quantity): readonly ReadingDoubt[] {
  const written = quantity.written;
  return [
    ...(quantity.isRange ? [{ kind: 'unclear_quantity' as const, written }] : []),
    ...(quantity.kind === 'case' && quantity.amount >= MANY_CASES
      ? [{ kind: 'large_quantity' as const }]
      : []),
    ...(quantity.kind === 'measure' ? [{ kind: 'unknown_unit' as const, written }] : []),
  ];
}
