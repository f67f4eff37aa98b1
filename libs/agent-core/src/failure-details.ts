export interface FailureDetails {
  readonly code: string;
  /** Safe to show to a client. */
  readonly message: string;
}
