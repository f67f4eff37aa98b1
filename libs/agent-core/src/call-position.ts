/** The position of a tool call in its scope. Unlike the provider's `call_id` it is unique. */
export interface CallPosition {
  /** From 1. */
  readonly round: number;
  /** From 0, in the order of the model's calls. */
  readonly position: number;
}
