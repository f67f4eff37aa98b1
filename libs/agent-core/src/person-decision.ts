/** A person's report of a call whose outcome is unknown. */
export type OutcomeReport =
  /** It took effect. `output` is what the model shall read; null for a fixed text. */
  | { readonly kind: 'happened'; readonly output: string | null }
  /** It took no effect, so it may run anew, under the same call key. */
  | { readonly kind: 'did_not_happen' }
  /** The outcome cannot be found out, or no person decided in time. */
  | { readonly kind: 'unknown' };

/** The author of a decision. */
export interface DecidedBy {
  /** Public part of the API key; null where the service asks for none. */
  readonly keyId: string | null;
  /** The person as the caller names them; null where it names none. */
  readonly person: string | null;
}

/** The part that every decision of a person has, in the journal. */
export interface DecisionGrounds {
  readonly reason: string;
  /** Absent where the time for a decision was over, and in what older releases wrote. */
  readonly by?: DecidedBy;
  /** Milliseconds since the epoch, by the database's time. Absent in what older releases wrote. */
  readonly decidedAt?: number;
}
