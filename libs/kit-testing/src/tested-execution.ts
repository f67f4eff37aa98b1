import { randomUUID } from 'node:crypto';
import {
  callName,
  foldEntries,
  parseCallName,
  ROOT,
  runAgentLoop,
  scopesOf,
  type JournalEntry,
  type ToolCallState,
} from '#libs/agent-core';
import type { Agent, AgentTestOptions, Pipeline, TestedCall, TestedRun } from '#libs/kit';
import type { PendingCall } from '#libs/payloads';
import type { FinishedRun } from './crash-report.js';
import { EffectRecorder } from './effect-recorder.js';
import { InMemoryExecution } from './in-memory-execution.js';
import { InMemoryJournal, WorkerDied } from './in-memory-journal.js';
import { attemptParts, type AttemptParts } from './loop-parts.js';
import { TestedAgents } from './tested-agents.js';

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
  agent: Agent | Pipeline,
  options: AgentTestOptions,
  crash?: Crash,
): Promise<TestedExecutionRun> {
  await options.reset?.();
  const recorder = new EffectRecorder(options);
  const executionId = randomUUID();
  const journal = new InMemoryJournal(new InMemoryExecution({ executionId }));
  if (crash !== undefined) journal.dieAt(crash.commit, crash.when, crash.isLate);
  const agents = new TestedAgents(agent);
  const tools = new Set(agents.tools().map(({ name }) => name));
  const partsOf = attemptParts({ agents, options, journal, recorder, executionId });
  let followsLostAttempt = false;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const hasDied = await runAttempt(partsOf(attempt, followsLostAttempt));
    followsLostAttempt = hasDied && journal.revive();
    const { outcome } = foldEntries(journal.entries);
    if (outcome !== null) return finished({ journal, recorder, executionId, tools }, outcome);
    if (journal.isParked) decide(journal, recorder, executionId, options);
  }
  throw new Error(`the execution has not ended after ${MAX_ATTEMPTS} attempts`);
}

/** Returns whether the process died. */
async function runAttempt({ context, rules, ports }: AttemptParts): Promise<boolean> {
  const signals = { drain: new AbortController().signal, abort: new AbortController().signal };
  try {
    await runAgentLoop(context, rules, ports, signals);
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
    const { scope, ...position } = parseCallName(pending.call);
    const at = { ...(scope !== ROOT && { scope }), ...position, reason: 'decided by the test' };
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

interface Ended {
  readonly journal: InMemoryJournal;
  readonly recorder: EffectRecorder;
  readonly executionId: string;
  /** Names of tools; other calls are steps of pipelines. */
  readonly tools: ReadonlySet<string>;
}

function finished(
  { journal, recorder, executionId, tools }: Ended,
  outcome: TestedRun['outcome'],
): TestedExecutionRun {
  const runs = recorder.runs();
  const firstRun = new Map(runs.toReversed().map(({ key }, index) => [key, runs.length - index]));
  const calls = scopesOf(foldEntries(journal.entries))
    .flatMap(([scope, { rounds }]) =>
      rounds.flatMap((round) => round.calls.map((call) => ({ call, name: callName(scope, call) }))),
    )
    .filter(({ call }) => tools.has(call.toolName))
    .map(({ call, name }) => ({ call, name, key: `${executionId}.${name}` }))
    .toSorted((a, b) => (firstRun.get(a.key) ?? Infinity) - (firstRun.get(b.key) ?? Infinity) || 0);
  const doubtful = new Set(journal.entries.flatMap(doubtfulCall));
  const unknown = calls
    .filter(({ name }) => doubtful.has(name))
    .map(({ call, key }) => ({ tool: call.toolName, key, input: inputOf(call) }));
  const tested = calls.flatMap(({ call, key }) => {
    const effects = runs.filter((run) => run.key === key).flatMap((run) => run.effects);
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
  const isAsked = entry.kind === 'outcome_asked';
  const isUnknown = entry.kind === 'tool_call_settled' && entry.outcome.status === 'outcome_unknown';
  return isAsked || isUnknown ? [callName(entry.scope ?? ROOT, entry)] : [];
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
