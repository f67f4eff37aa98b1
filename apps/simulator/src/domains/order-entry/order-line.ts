/** Units of an order line: cases, single pieces, pounds, or none of them. */
export type Uom = 'CS' | 'Ea' | 'Lbs' | '';

/** Reason for which a person must check a line as read. */
export type ReadingDoubt =
  | { readonly kind: 'no_quantity' }
  /** A range, e.g. "2-3 cases". */
  | { readonly kind: 'unclear_quantity'; readonly written: string }
  /** A unit that is not sold by, e.g. kilograms. */
  | { readonly kind: 'unknown_unit'; readonly written: string }
  /** More cases than customers usually order. */
  | { readonly kind: 'large_quantity' };

/** An order line as read from the text. */
export interface OrderLine {
  /** The customer's wording. */
  readonly originalText: string;
  /** Search query: the item code if there is one, else the name. */
  readonly query: string;
  readonly code: string | null;
  readonly name: string;
  /** 0 when the line has no quantity. */
  readonly quantity: number;
  readonly uom: Uom;
  /** Pack size as the customer wrote it, e.g. `6/5 lb`. */
  readonly pack: string | null;
  readonly remark: string | null;
  readonly doubts: readonly ReadingDoubt[];
}

export type Language = 'en' | 'ja';

/** Name and account number of the customer, if the text has them. */
export interface WrittenCustomer {
  readonly name: string | null;
  readonly account: string | null;
}

/** An order as read from the text; a text without lines is no order. */
export interface ReadOrder {
  readonly language: Language;
  readonly lines: readonly OrderLine[];
  readonly customer: WrittenCustomer;
  /** Requests about the whole order, e.g. its delivery, which belong to no line. */
  readonly notes: readonly string[];
}
