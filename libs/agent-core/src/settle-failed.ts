import type { ExecutionResult } from '#libs/payloads';
import { UNKNOWN_OUTCOME_TEXT } from '#libs/tooling';
import { foldEntries, type ExecutionState } from './execution-state.js';
import { TOO_LATE } from './too-late.js';
import type { FailureDetails, JournalEntry } from './journal-entry.js';
import type { Journal } from './ports/journal.js';
import { projectRunSteps } from './run-step.js';
import { lostModelCall } from './lost-model-call.js';
import { buildFailedSettlement, type Pricing } from './settlement.js';

/**
 * Ends an execution that cannot go on, from outside the loop, and answers it as it ended. No call stays open: its
 * audit would never end.
 *
 * @param lostModel the model that a lost attempt may have been asking, of which nothing is recorded yet; null where there was none
 * @param isPassing whether the journal may be read later, or by somebody else, that could not be read with this error
 */
export async function settleFailed(
  journal: Journal,
  pricing: Pricing,
  error: FailureDetails,
  lostModel: string | null,
  isPassing: (error: unknown) => boolean,
): Promise<ExecutionResult> {
  const before = await stateIfWhole(journal, isPassing);
  const outcome = { status: 'failed', error } as const;
  const lost = lostModel === null ? [] : lostModelCall(before, lostModel);
  const entries = [...lost, ...settleLeftovers(before), { kind: 'execution_settled', outcome } as const];
  const state = foldEntries(entries, before);
  const batch = { entries, runSteps: projectRunSteps(entries, state) };
  return journal.settle(batch, buildFailedSettlement(pricing, state, error));
}

/** Nobody can go on with a damaged journal, and what it held is not to be had; its execution has to end all the same. */
async function stateIfWhole(
  journal: Journal,
  isPassing: (error: unknown) => boolean,
): Promise<ExecutionState> {
  try {
    return foldEntries(await journal.read());
  } catch (error) {
    if (isPassing(error)) throw error;
    return foldEntries([]);
  }
}

/**
 * Of calls that began under a worker that nobody heard of again nobody can say whether they took effect; the others are
 * not run any more. These include calls whose audit row is open because they were about to begin.
 */
function settleLeftovers(state: ExecutionState): JournalEntry[] {
  const calls = state.rounds.flatMap((round) => round.calls);
  return calls
    .filter((call) => call.outcome === null)
    .map(({ round, position, started }) => ({
      kind: 'tool_call_settled',
      round,
      position,
      outcome: started ? { status: 'outcome_unknown', output: UNKNOWN_OUTCOME_TEXT } : TOO_LATE,
    }));
}
