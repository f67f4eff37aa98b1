import { isWordy } from './clean-name.js';
import type { Quantity, ScannedLine, Span } from './scan-line.js';

/** A part of a line with at most one order quantity. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  /** Text before and after the quantity, with codes and packs blanked out; without a quantity, all text is `before`. */
  readonly before: string;
  readonly after: string;
  readonly quantity: Quantity | null;
  readonly code: Span | null;
  readonly packs: readonly Span[];
}

/** Commas separate outside brackets; "and" separates only beside a quantity. */
const SEPARATOR =
  /[;；、，。]|,(?!\d{3})(?![^(]*\))|(?<=\s)(?:and|plus|&)(?=\s+(?:also\s+|another\s+)?(?:\d|a\s|an\s|one\s|two\s|three\s|four\s|five\s|six\s|half\s))|\s[-–—]\s/giu;
const AND_AFTER_QUANTITY = /^\s*(?:and\b|plus\b|&|と|及び|または)\s*/iu;

/** Splits a scanned line at separators and between quantities. */
export function splitSegments(line: ScannedLine): readonly Segment[] {
  const cuts = separatorSpans(line);
  const edges = [0, ...cuts.map((cut) => cut.end), line.text.length];
  const ranges = edges.slice(0, -1).map((start, at) => ({ start, end: cuts[at]?.start ?? line.text.length }));
  return ranges.flatMap((range) => splitAtQuantities(line, range.start, range.end));
}

function separatorSpans(line: ScannedLine): readonly Span[] {
  const taken = [...line.codes, ...line.packs, ...line.quantities];
  return [...line.text.matchAll(SEPARATOR)]
    .map((match) => ({ start: match.index, end: match.index + match[0].length, written: match[0] }))
    .filter((cut) => !taken.some((span) => cut.start < span.end && cut.end > span.start));
}

/** "tomatoes 3 cs lemons 2 cs" has two parts; the first shows whether names precede or follow quantities. */
function splitAtQuantities(line: ScannedLine, start: number, end: number): readonly Segment[] {
  const inside = orderedBy(
    line.quantities.filter((quantity) => quantity.start >= start && quantity.end <= end),
  );
  const [first, ...others] = inside;
  if (first === undefined) return [segmentOf(line, start, end, null)];
  const isNameFirst = isWordy(line.rest.slice(start, first.start));
  const cuts = others.map((quantity, at) => (isNameFirst ? (inside[at]?.end ?? start) : quantity.start));
  return inside.map((quantity, at) => {
    const segment = segmentOf(line, cuts[at - 1] ?? start, cuts[at] ?? end, quantity);
    return at === 0 ? segment : { ...segment, before: segment.before.replace(AND_AFTER_QUANTITY, '') };
  });
}

/** A weight beside cases or pieces is their size, not the order quantity. */
function orderedBy(quantities: readonly Quantity[]): readonly Quantity[] {
  const counted = quantities.filter((quantity) => !isSize(quantity));
  return counted.length > 0 ? counted : quantities.slice(0, 1);
}

/** Whether the quantity is a weight or volume, which may be a size as well as an amount. */
export function isSize(quantity: Quantity): boolean {
  return quantity.kind === 'pound' || quantity.kind === 'measure';
}

function segmentOf(line: ScannedLine, start: number, end: number, quantity: Quantity | null): Segment {
  const within = (span: Span): boolean => span.start >= start && span.end <= end;
  const sizes = line.quantities.filter((span) => within(span) && span !== quantity && isSize(span));
  const before = line.rest.slice(start, quantity?.start ?? end);
  const after = quantity === null ? '' : line.rest.slice(quantity.end, end);
  return {
    start,
    end,
    before,
    after,
    quantity,
    code: line.codes.find(within) ?? null,
    packs: [...line.packs.filter(within), ...sizes],
  };
}
