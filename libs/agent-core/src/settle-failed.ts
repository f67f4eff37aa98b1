import type { ExecutionResult } from '#libs/payloads';
import { foldEntries, type ExecutionState } from './execution-state.js';
import type { FailureDetails, JournalEntry } from './journal-entry.js';
import type { Journal } from './ports/journal.js';
import { projectRunSteps } from './run-step.js';
import { lostModelCalls } from './lost-model-call.js';
import { LeaseLostError } from './ports/lease-lost-error.js';
import { settleLeftovers } from './scopes/settle-leftovers.js';
import { buildCancelledSettlement, buildFailedSettlement, type Pricing } from './settlement.js';

/**
 * Fails or cancels an execution from outside the loop and returns its result. Every open call is settled, so that its
 * audit ends.
 *
 * @param error reason; `cancelled` if a cancellation was requested
 * @param lostModel the model that a lost attempt may have called without a record; null if there is none
 * @param isPassing whether an error of reading the journal is transient, i.e. the journal can be read later or by
 * another worker
 */
export async function settleFailed(
  journal: Journal,
  pricing: Pricing,
  error: FailureDetails | 'cancelled',
  lostModel: string | null,
  isPassing: (error: unknown) => boolean,
): Promise<ExecutionResult> {
  const before = await stateIfWhole(journal, isPassing);
  const isCancelled = error === 'cancelled';
  const outcome = isCancelled ? ({ status: 'cancelled' } as const) : ({ status: 'failed', error } as const);
  const lost = lostModel === null ? [] : lostModelCalls(before, lostModel);
  const entries: JournalEntry[] = [
    ...lost,
    ...(isCancelled && !before.isCancelled ? [{ kind: 'cancellation_requested' } as const] : []),
    ...settleLeftovers(before, () => outcome),
    { kind: 'execution_settled', outcome },
  ];
  const state = foldEntries(entries, before);
  const batch = { entries, runSteps: projectRunSteps(entries, state) };
  const settlement = isCancelled
    ? buildCancelledSettlement(pricing, state)
    : buildFailedSettlement(pricing, state, error);
  return journal.settle(batch, settlement);
}

/** Reads the state; empty for a damaged journal, since its execution has to end all the same. */
async function stateIfWhole(
  journal: Journal,
  isPassing: (error: unknown) => boolean,
): Promise<ExecutionState> {
  try {
    return foldEntries(await journal.read());
  } catch (error) {
    if (error instanceof LeaseLostError || isPassing(error)) throw error;
    return foldEntries([]);
  }
}
