/** Units of an order line: cases, single pieces, pounds, or none that fits. */
export type Uom = 'CS' | 'Ea' | 'Lbs' | '';

/** Why a person has to look at what was read. */
export type ReadingDoubt =
  | { readonly kind: 'no_quantity' }
  /** e.g. "2-3 cases". */
  | { readonly kind: 'unclear_quantity'; readonly written: string }
  /** A unit that cannot be ordered by, e.g. kilograms. */
  | { readonly kind: 'unknown_unit'; readonly written: string }
  /** More cases than a customer usually takes. */
  | { readonly kind: 'large_quantity' };

/** One line of an order as it was read. */
export interface OrderLine {
  /** The customer's words. */
  readonly originalText: string;
  /** What to search the catalogue for: the item code if there is one, else the name. */
  readonly query: string;
  readonly code: string | null;
  readonly name: string;
  /** 0 when none was given. */
  readonly quantity: number;
  readonly uom: Uom;
  /** The pack size the customer wrote, e.g. `6/5 lb`. */
  readonly pack: string | null;
  readonly remark: string | null;
  readonly doubts: readonly ReadingDoubt[];
}

export type Language = 'en' | 'ja';

/** Who orders, as far as the text says so. */
export interface WrittenCustomer {
  readonly name: string | null;
  readonly account: string | null;
}

/** An order text as it was read. Without lines it is no order. */
export interface ReadOrder {
  readonly language: Language;
  readonly lines: readonly OrderLine[];
  readonly customer: WrittenCustomer;
  /** Wishes for the whole order, e.g. about the delivery; no line carries them. */
  readonly notes: readonly string[];
}
