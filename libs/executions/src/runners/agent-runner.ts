import type { Preparation, ScopePath } from '#libs/agent-core';
import type { Claim } from '../ports/claim-store.js';
import type { UsableContext } from '../plan/usable-context.js';

/** A run that has not begun. */
export interface RunToPrepare {
  readonly claim: Claim;
  readonly usable: UsableContext;
  readonly scope: ScopePath;
}

/** Part of a run's preparation that a runner adds. */
export type PreparedByRunner = Pick<Preparation, 'retrieval'>;

/** Prepares the runs of one use case type (S3-36). Its result is pinned with the run; the loop is the same for all types. */
export abstract class AgentRunner {
  /** False if its runs need no preparation. */
  readonly prepares: boolean = true;

  /**
   * Called once per run, and again only if a worker died before. Throws an `AppError` that fails or postpones the
   * execution.
   */
  abstract prepare(run: RunToPrepare, signal: AbortSignal): Promise<PreparedByRunner>;
}
