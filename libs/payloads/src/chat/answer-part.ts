/**
 * One piece of an answer in order. Stored only when it differs from the plain order (reasoning, text, calls), e.g. for
 * reasoning between calls or texts with phases: the model must read its answer back in that order.
 */
export type AnswerPart =
  /** The item at `index` of the answer's `providerItems`. */
  | { readonly kind: 'reasoning'; readonly index: number }
  /** `phase` is the provider's name for it, e.g. `commentary` or `final_answer`. */
  | { readonly kind: 'message'; readonly text: string; readonly phase: string | null }
  | { readonly kind: 'call'; readonly callId: string };
