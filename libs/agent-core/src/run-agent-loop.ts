import { decideNextAction } from './decide-next-action.js';
import { callModel } from './effects/call-model.js';
import type { LoopPorts } from './effects/loop-ports.js';
import { runTools } from './effects/run-tools.js';
import type { ExecutionContext } from './execution-context.js';
import { foldEntries, type ExecutionState } from './execution-state.js';
import type { ExecutionOutcome, JournalEntry } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import type { Journal, JournalBatch } from './ports/journal.js';
import { projectRunSteps } from './run-step.js';
import { buildSettlement } from './settlement.js';
import { mayStillWrite, type LoopSignals } from './stop-reason.js';

export type LoopResult =
  | { readonly kind: 'settled'; readonly outcome: ExecutionOutcome }
  /** Stopped at a boundary; the journal is as the next attempt needs it. */
  | { readonly kind: 'interrupted' };

/**
 * Starting, continuing and recovering are the same call. Facts are folded at once and committed before the next
 * effect begins, so that a fact and the intent which follows from it share one transaction.
 */
export async function runAgentLoop(
  context: ExecutionContext,
  rules: LoopRules,
  ports: LoopPorts,
  signals: LoopSignals,
): Promise<LoopResult> {
  const ledger = await Ledger.open(ports.journal);
  if (context.attempt > 1) {
    const round = ledger.state.rounds.length + 1;
    ports.events.emit({ event: 'attempt_restarted', data: { attempt: context.attempt, round } });
  }

  while (mayStillWrite(signals.abort)) {
    const action = decideNextAction(ledger.state, rules, ports.clock.now());
    if (action.kind === 'finish') {
      await ports.events.flush();
      await ports.journal.settle(
        ledger.takeUncommitted(),
        buildSettlement(context, rules.costOf, ledger.state, action.outcome),
      );
      return { kind: 'settled', outcome: action.outcome };
    }
    if (action.kind === 'record') {
      ledger.note(action.entries);
      continue;
    }
    if (signals.drain.aborted) break;
    if (action.kind === 'call_model') {
      await ledger.commit();
      ledger.note(await callModel(action, ledger.state, context, rules, ports, signals.abort));
    } else {
      ledger.note(await ledger.drive(runTools(action.calls, rules, ports, signals.abort)));
    }
  }
  if (mayStillWrite(signals.abort)) await ledger.commit();
  return { kind: 'interrupted' };
}

/** State plus the facts that are folded into it but not yet committed. */
class Ledger {
  private uncommitted: JournalEntry[] = [];

  private constructor(
    private readonly journal: Journal,
    public state: ExecutionState,
  ) {}

  static async open(journal: Journal): Promise<Ledger> {
    return new Ledger(journal, foldEntries(await journal.read()));
  }

  note(entries: readonly JournalEntry[]): void {
    this.state = foldEntries(entries, this.state);
    this.uncommitted.push(...entries);
  }

  takeUncommitted(): JournalBatch {
    const entries = this.uncommitted;
    this.uncommitted = [];
    return { entries, runSteps: projectRunSteps(entries, this.state) };
  }

  async commit(): Promise<void> {
    if (this.uncommitted.length > 0) await this.journal.append(this.takeUncommitted());
  }

  /** Lets an effect go on from checkpoint to checkpoint, each committed first; answers what it returned. */
  async drive(
    effect: AsyncGenerator<readonly JournalEntry[], readonly JournalEntry[]>,
  ): Promise<readonly JournalEntry[]> {
    for (;;) {
      const step = await effect.next();
      if (step.done) return step.value;
      this.note(step.value);
      await this.commit();
    }
  }
}
