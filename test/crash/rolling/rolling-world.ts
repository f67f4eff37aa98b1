/** One execution as the database has it when the load is over. */
export interface RolledExecution {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
  /** Milliseconds from there to its ending; null where it has none. */
  readonly tookMs: number | null;
  /** Its status, or the code of its error. */
  readonly ending: string;
  readonly attempt: number;
  readonly lostAttempts: number;
  /** How often its unsafe tool took effect. */
  readonly charges: number;
}

/** One worker that was ended, and its successor. */
export interface Replacement {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  /** Until it was gone. */
  readonly drainMs: number;
}

/** What a rolling restart came to. */
export interface RollingWorld {
  /** From here on executions count as those before the first restart: everything is warm. */
  readonly warmAt: number;
  readonly executions: readonly RolledExecution[];
  /** What clients got in place of an answer. */
  readonly failedRequests: readonly string[];
  readonly replacements: readonly Replacement[];
}
