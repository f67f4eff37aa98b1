/** An execution in the database when the load is over. */
export interface RolledExecution {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
  /** Milliseconds from the acceptance to the ending; null if it has not ended. */
  readonly tookMs: number | null;
  /** Its status, or the code of its error. */
  readonly ending: string;
  readonly attempt: number;
  readonly lostAttempts: number;
  /** The number of effects of its unsafe tool. */
  readonly charges: number;
}

/** A worker that was ended and replaced. */
export interface Replacement {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null if a signal ended the process. */
  readonly exitCode: number | null;
  /** Milliseconds from the request to stop until the process had ended. */
  readonly drainMs: number;
}

/** The result of a rolling restart. */
export interface RollingWorld {
  /** The time, in Unix milliseconds, from which executions count as those before the first restart. */
  readonly warmAt: number;
  readonly executions: readonly RolledExecution[];
  /** The failures that clients got in place of an answer. */
  readonly failedRequests: readonly string[];
  readonly replacements: readonly Replacement[];
}
