/**
 * One piece of an answer at its place. Kept only where the plain order (what was reasoned, the text, the calls) does not say
 * it all: a model that reasons between its calls, or that names the phase of what it says, has to read it back so.
 */
export type AnswerPart =
  /** The item at `index` of the answer's `providerItems`. */
  | { readonly kind: 'reasoning'; readonly index: number }
  /** `phase` is what the provider calls it, e.g. `commentary` or `final_answer`. */
  | { readonly kind: 'message'; readonly text: string; readonly phase: string | null }
  | { readonly kind: 'call'; readonly callId: string };
