/** Where a tool call stands in its scope. Unlike the provider's `call_id` it can never occur twice. */
export interface CallPosition {
  /** From 1. */
  readonly round: number;
  /** From 0, in the order in which the model asked. */
  readonly position: number;
}
