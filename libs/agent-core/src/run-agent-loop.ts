import type { ExecutionResult, ExecutionView, PendingCall } from '#libs/payloads';
import { decideNextAction } from './decide-next-action.js';
import { callModel } from './effects/call-model.js';
import type { LoopPorts } from './effects/loop-ports.js';
import { runTools } from './effects/run-tools.js';
import type { ExecutionContext } from './execution-context.js';
import { foldEntries, type ExecutionState, type ToolCallState } from './execution-state.js';
import type { ExecutionOutcome, JournalEntry } from './journal-entry.js';
import type { RunReporter } from './reporting/run-reporter.js';
import type { LoopRules } from './loop-rules.js';
import { lostModelCall } from './lost-model-call.js';
import type { Journal, JournalBatch } from './ports/journal.js';
import { LeaseLostError } from './ports/lease-lost-error.js';
import { projectRunSteps } from './run-step.js';
import { settleRun } from './settle-run.js';
import { isCancelled, isLate, mayStillWrite, type LoopSignals } from './stop-reason.js';

export type LoopResult =
  /** Waits for a person's decisions; no worker holds it. */
  | { readonly kind: 'parked'; readonly view: ExecutionView }
  | { readonly kind: 'settled'; readonly outcome: ExecutionOutcome; readonly view: ExecutionResult }
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

  if (context.followsLostAttempt) ledger.note(lostModelCall(ledger.state, context.model));

  while (mayStillWrite(signals.abort)) {
    noteStop(ledger, signals.abort);
    const action = decideNextAction(ledger.state, rules);
    if (action.kind === 'finish') {
      ports.reporter.runEnds(action.outcome);
      await ports.events.flush();
      const last = ledger.takeUncommitted();
      const settled = await settleRun(ports.journal, last, context, rules, ledger.state, action.outcome);
      return { kind: 'settled', ...settled };
    }
    if (action.kind === 'park') {
      await ports.events.flush();
      const calls = pendingCalls(ledger.state, rules);
      const view = await ports.journal.park(ledger.takeUncommitted(), calls);
      return { kind: 'parked', view };
    }
    if (action.kind === 'record') {
      ledger.note(action.entries);
      reportSettled(action.entries, ledger.state, ports.reporter);
      continue;
    }
    if (signals.drain.aborted) break;
    if (action.kind === 'call_model') {
      await ledger.commit();
      ledger.note(await callModel(action, ledger.state, context, ports, signals.abort));
      reportAnswer(action.round, ledger.state, ports.reporter);
    } else {
      ledger.note(await ledger.drive(runTools(action.calls, rules, ports, signals)));
      reportRoundEnd(ledger.state, ports.reporter);
    }
  }
  if (mayStillWrite(signals.abort)) await ledger.commit();
  else await ledger.letGo();
  return { kind: 'interrupted' };
}

/** The signal alone says that somebody wants the end, or that time is up: two clocks never decide one thing. */
function noteStop(ledger: Ledger, abort: AbortSignal): void {
  if (isCancelled(abort) && !ledger.state.isCancelled) ledger.note([{ kind: 'cancellation_requested' }]);
  if (isLate(abort) && !ledger.state.isLate) ledger.note([{ kind: 'deadline_reached' }]);
}

function pendingCalls(state: ExecutionState, rules: LoopRules): PendingCall[] {
  const open = (state.rounds.at(-1)?.calls ?? []).filter((call) => call.outcome === null);
  return open.flatMap((call): PendingCall[] => {
    const asks = whatAsks(call);
    if (asks === null) return [];
    const verdict = rules.judge(call);
    const tool_input = verdict.kind === 'run' ? verdict.input : null;
    return [{ call: `${call.round}.${call.position}`, asks, tool_name: call.toolName, tool_input }];
  });
}

function whatAsks(call: ToolCallState): PendingCall['asks'] | null {
  if (call.inquiry.kind === 'asked') return 'outcome';
  return call.approval.kind === 'requested' ? 'approval' : null;
}

function reportAnswer(round: number, state: ExecutionState, reporter: RunReporter): void {
  const answered = state.rounds[round - 1];
  if (!answered) return;
  reporter.modelAnswers(answered);
  if (answered.calls.length === 0) reporter.roundEnds(answered);
}

/** Calls that end without having run are told all the same. */
function reportSettled(entries: readonly JournalEntry[], state: ExecutionState, reporter: RunReporter): void {
  const settled = entries.filter((entry) => entry.kind === 'tool_call_settled');
  for (const { round, position, outcome } of settled) {
    const call = state.rounds[round - 1]?.calls[position];
    if (call) reporter.callEnds(call, outcome, []);
  }
  if (settled.length > 0) reportRoundEnd(state, reporter);
}

function reportRoundEnd(state: ExecutionState, reporter: RunReporter): void {
  const round = state.rounds.at(-1);
  if (round && round.calls.length > 0 && round.calls.every((call) => call.outcome !== null))
    reporter.roundEnds(round);
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

  /**
   * Its lease may be over, and nothing new begins; but what became known is still a fact, unless somebody has taken over: only
   * the fence can say. Without it an `unsafe` call would count as one of which nobody knows what became. That a model call was
   * given up is left to `Journal.handOver` where it cannot be written now: it is no reason to come back later.
   */
  async letGo(): Promise<void> {
    const isBookkeeping = this.uncommitted.every((entry) => entry.kind === 'model_call_interrupted');
    try {
      await this.commit();
    } catch (error) {
      if (!isBookkeeping && !(error instanceof LeaseLostError)) throw error;
    }
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
