import type { Preparation, ScopePath } from '#libs/agent-core';
import type { Claim } from '../ports/claim-store.js';
import type { UsableContext } from '../plan/usable-context.js';

/** A run that nobody has begun yet. */
export interface RunToPrepare {
  readonly claim: Claim;
  readonly usable: UsableContext;
  readonly scope: ScopePath;
}

/** What a runner adds to the preparation of a run. */
export type PreparedByRunner = Pick<Preparation, 'retrieval'>;

/** Prepares the runs of one type of usecase (S3-36). What it adds is pinned with the run; then one loop runs for all. */
export abstract class AgentRunner {
  /** Asked once per run, as far as nobody dies. Throws an `AppError` that ends the execution, or puts it off. */
  abstract prepare(run: RunToPrepare, signal: AbortSignal): Promise<PreparedByRunner>;
}
