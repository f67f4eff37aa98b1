import type { ExecutionResult } from '#libs/payloads';
import { foldEntries } from './execution-state.js';
import type { JournalEntry } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import { lostModelCalls } from './lost-model-call.js';
import type { Journal } from './ports/journal.js';
import { projectRunSteps } from './run-step.js';
import { leavesUnknown, settleLeftovers } from './scopes/settle-leftovers.js';
import { stoppedOutcome } from './scopes/stopped-outcome.js';
import { buildSettlement, type Pricing, type SettledTurn, type Settlement } from './settlement.js';

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
