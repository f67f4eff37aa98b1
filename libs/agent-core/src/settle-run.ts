import type { ExecutionResult } from '#libs/payloads';
import type { ExecutionContext } from './execution-context.js';
import type { ExecutionState } from './execution-state.js';
import type { ExecutionOutcome } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import type { Journal, JournalBatch } from './ports/journal.js';
import { StagedChangeRefusedError } from './ports/staged-change-refused-error.js';
import { buildSettlement } from './settlement.js';

/**
 * Settles a run. `batch` ends with the fact of its end. If a staged change is refused, the run settles as `failed`
 * instead, with all its other facts. Returns the outcome and the settled execution.
 */
export async function settleRun(
  journal: Journal,
  batch: JournalBatch,
  context: ExecutionContext,
  rules: LoopRules,
  state: ExecutionState,
  outcome: ExecutionOutcome,
): Promise<{ readonly outcome: ExecutionOutcome; readonly view: ExecutionResult }> {
  try {
    const view = await journal.settle(batch, buildSettlement(context, rules, state, outcome));
    return { outcome, view };
  } catch (error) {
    if (!(error instanceof StagedChangeRefusedError)) throw error;
    const { code, message } = error;
    const refused = { status: 'failed', error: { code, message } } as const;
    const settlement = buildSettlement(context, rules, state, refused);
    const view = await journal.settle(endingAs(refused, batch), settlement);
    return { outcome: refused, view };
  }
}

function endingAs(outcome: ExecutionOutcome, batch: JournalBatch): JournalBatch {
  const entries = batch.entries.map((entry) =>
    entry.kind === 'execution_settled' ? { ...entry, outcome } : entry,
  );
  return { ...batch, entries };
}
