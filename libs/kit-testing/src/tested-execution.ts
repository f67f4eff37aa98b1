import { randomUUID } from 'node:crypto';
import {
  callName,
  foldEntries,
  parseCallName,
  ROOT,
  runAgentLoop,
  type JournalEntry,
  type ToolCallState,
} from '#libs/agent-core';
import type { Agent, AgentTestOptions, TestedCall, TestedRun } from '#libs/kit';
import type { PendingCall } from '#libs/payloads';
import type { FinishedRun } from './crash-report.js';
import { EffectRecorder } from './effect-recorder.js';
import { InMemoryExecution } from './in-memory-execution.js';
import { InMemoryJournal, WorkerDied } from './in-memory-journal.js';
import { loopParts, type LoopParts } from './loop-parts.js';

/** Moment at which the process dies. */
export interface Crash {
  /** Number of the commit, from 1. */
  readonly commit: number;
  readonly when: 'before' | 'after';
  /** True if the process first does all work that needs no answer to the commit. */
  readonly isLate: boolean;
}

export interface TestedExecutionRun extends FinishedRun, TestedRun {
  readonly commits: number;
}

/** Bounds an execution that never ends, e.g. one whose tool is always in doubt. */
const MAX_ATTEMPTS = 50;

/** Runs an execution to its end; after a crash, and after a decision of a person, in a new attempt. */
export async function runToEnd(
  agent: Agent,
  options: AgentTestOptions,
  crash?: Crash,
): Promise<TestedExecutionRun> {
  await options.reset?.();
  const recorder = new EffectRecorder(options);
  const executionId = randomUUID();
  const journal = new InMemoryJournal(new InMemoryExecution({ executionId }));
  if (crash !== undefined) journal.dieAt(crash.commit, crash.when, crash.isLate);
  const parts = loopParts({ agent, options, journal, recorder, executionId });
  let followsLostAttempt = false;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const hasDied = await runAttempt(parts, attempt, followsLostAttempt);
    followsLostAttempt = hasDied && journal.revive();
    const { outcome } = foldEntries(journal.entries);
    if (outcome !== null) return finished(journal, recorder, executionId, outcome);
    if (journal.isParked) decide(journal, recorder, executionId, options);
  }
  throw new Error(`the execution has not ended after ${MAX_ATTEMPTS} attempts`);
}

/** Returns whether the process died. */
async function runAttempt(
  { contextOf, rules, portsOf }: LoopParts,
  attempt: number,
  followsLostAttempt: boolean,
): Promise<boolean> {
  const signals = { drain: new AbortController().signal, abort: new AbortController().signal };
  try {
    await runAgentLoop(contextOf(attempt, followsLostAttempt), rules, portsOf(attempt), signals);
    return false;
  } catch (error) {
    if (error instanceof WorkerDied) return true;
    throw error;
  }
}

/** The decisions of a person on all calls that wait: true reports of outcomes, and approvals as the test says. */
function decide(
  journal: InMemoryJournal,
  recorder: EffectRecorder,
  executionId: string,
  { approve = () => true }: AgentTestOptions,
): void {
  const keys = new Set(recorder.runs().map(({ key }) => key));
  const decisions = (journal.parked.at(-1) ?? []).map((pending: PendingCall): JournalEntry => {
    const { round, position } = parseCallName(pending.call);
    const at = { round, position, reason: 'decided by the test' };
    if (pending.asks === 'outcome') {
      const hasRun = keys.has(`${executionId}.${pending.call}`);
      const report = hasRun
        ? ({ kind: 'happened', output: null } as const)
        : ({ kind: 'did_not_happen' } as const);
      return { kind: 'outcome_reported', ...at, report };
    }
    const approved = approve({ tool: pending.tool_name, input: pending.tool_input });
    return { kind: 'approval_decided', ...at, approved };
  });
  journal.decide(...decisions);
}

function finished(
  journal: InMemoryJournal,
  recorder: EffectRecorder,
  executionId: string,
  outcome: TestedRun['outcome'],
): TestedExecutionRun {
  const calls = foldEntries(journal.entries).rounds.flatMap((round) => round.calls);
  const runs = recorder.runs();
  const keyOf = (call: ToolCallState): string => `${executionId}.${callName(ROOT, call)}`;
  const doubtful = new Set(journal.entries.flatMap(doubtfulCall));
  const unknown = calls
    .filter((call) => doubtful.has(callName(ROOT, call)))
    .map((call) => ({ tool: call.toolName, key: keyOf(call), input: inputOf(call) }));
  const tested = calls.flatMap((call) => {
    const effects = runs.filter(({ key }) => key === keyOf(call)).flatMap((run) => run.effects);
    return toTestedCall(call, effects);
  });
  const settlement = journal.settlements.at(-1);
  const answer = settlement?.messages.find(({ role }) => role === 'assistant');
  return {
    ...{ outcome, runs, unknown, calls: tested, commits: journal.commits },
    staged: settlement?.staged ?? [],
    data: answer?.data ?? {},
  };
}

/** Name of the call that this fact leaves in doubt; empty for every other fact. */
function doubtfulCall(entry: JournalEntry): string[] {
  if (entry.kind === 'outcome_asked') return [callName(ROOT, entry)];
  const isUnknown = entry.kind === 'tool_call_settled' && entry.outcome.status === 'outcome_unknown';
  return isUnknown ? [callName(ROOT, entry)] : [];
}

/** Empty for a call that an ending left without an outcome. */
function toTestedCall(call: ToolCallState, effects: readonly unknown[]): TestedCall[] {
  const { toolName: tool, outcome } = call;
  if (outcome === null) return [];
  const error = outcome.status === 'failed' ? outcome.error : null;
  return [{ tool, input: inputOf(call), status: outcome.status, output: outcome.output, error, effects }];
}

/** The arguments are JSON, since the scripted model has written them. */
function inputOf({ arguments: json }: ToolCallState): unknown {
  return JSON.parse(json);
}
