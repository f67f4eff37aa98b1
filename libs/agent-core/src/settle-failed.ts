import { foldEntries } from './execution-state.js';
import type { FailureDetails } from './journal-entry.js';
import type { Journal } from './ports/journal.js';
import { buildFailedSettlement, type Pricing } from './settlement.js';

/** Ends an execution that cannot go on, from outside the loop. */
export async function settleFailed(journal: Journal, pricing: Pricing, error: FailureDetails): Promise<void> {
  const state = foldEntries(await journal.read());
  const outcome = { status: 'failed', error } as const;
  const entries = [{ kind: 'execution_settled', outcome } as const];
  await journal.settle({ entries, runSteps: [] }, buildFailedSettlement(pricing, state, error));
}
