/** A person's report about a call with an unknown outcome. */
export type OutcomeReport =
  /** It took effect. `output` is the text for the model; null for a default text. */
  | { readonly kind: 'happened'; readonly output: string | null }
  /** It took no effect, so it may run again with the same call key. */
  | { readonly kind: 'did_not_happen' }
  /** The outcome cannot be found out, or no person decided in time. */
  | { readonly kind: 'unknown' };

/** The author of a decision. */
export interface DecidedBy {
  /** Public part of the API key; null if the service requires none. */
  readonly keyId: string | null;
  /** The person's name as the caller states it; null if it states none. */
  readonly person: string | null;
}

/** The fields that every decision of a person has in the journal. */
export interface DecisionGrounds {
  readonly reason: string;
  /** Absent if the decision timed out, and in entries of older releases. */
  readonly by?: DecidedBy;
  /** Milliseconds since the epoch, by the database's clock. Absent in entries of older releases. */
  readonly decidedAt?: number;
}
