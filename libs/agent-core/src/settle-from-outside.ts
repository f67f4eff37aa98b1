import type { ExecutionResult } from '#libs/payloads';
import { foldEntries, type ExecutionState } from './execution-state.js';
import type { FailureDetails, JournalEntry } from './journal-entry.js';
import type { Journal } from './ports/journal.js';
import { projectRunSteps } from './run-step.js';
import { lostModelCalls } from './lost-model-call.js';
import { LeaseLostError } from './ports/lease-lost-error.js';
import { settleLeftovers, leavesUnknown } from './scopes/settle-leftovers.js';
import {
  buildCancelledSettlement,
  buildFailedSettlement,
  type Pricing,
  buildSettlement,
  type SettledTurn,
  type Settlement,
} from './settlement.js';
import type { LoopRules } from './loop-rules.js';
import { stoppedOutcome } from './scopes/scope-outcome.js';

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

/** The turn and rules needed to settle an execution. */
export interface EndingPlan {
  readonly turn: SettledTurn;
  readonly rules: Pricing & Pick<LoopRules, 'visibleText' | 'countTokens'>;
}

/**
 * Ends a cancelled or late execution without its tools, which may no longer be known. Started calls settle as unknown,
 * and a late execution then fails with that. Returns the result.
 *
 * @param lostModel as in `settleFailed`
 * @param waitedFor message of the wait that used up its time; null without one
 */
export async function settleStopped(
  journal: Journal,
  { turn, rules }: EndingPlan,
  reason: 'cancelled' | 'deadline',
  lostModel: string | null,
  waitedFor: string | null,
): Promise<ExecutionResult> {
  const before = foldEntries(await journal.read());
  const lost = lostModel === null ? [] : lostModelCalls(before, lostModel);
  const isNoted = reason === 'cancelled' ? before.isCancelled : before.isLate;
  const stop = { kind: reason === 'cancelled' ? 'cancellation_requested' : 'deadline_reached' } as const;
  const leftovers = settleLeftovers(before, (scope) => stoppedOutcome(reason, scope, false));
  const outcome = stoppedOutcome(reason, before, leavesUnknown(leftovers));
  const entries: JournalEntry[] = [
    ...lost,
    ...(isNoted ? [] : [stop]),
    ...leftovers,
    { kind: 'execution_settled', outcome },
  ];
  const state = foldEntries(entries, before);
  const batch = { entries, runSteps: projectRunSteps(entries, state) };
  const settlement = buildSettlement(turn, rules, state, outcome);
  return journal.settle(batch, waitedFor === null ? settlement : withWarning(settlement, waitedFor));
}

function withWarning(settlement: Settlement, warning: string): Settlement {
  const { metadata } = settlement;
  return { ...settlement, metadata: { ...metadata, warnings: [...(metadata.warnings ?? []), warning] } };
}
