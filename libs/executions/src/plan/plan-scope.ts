import {
  type EventSink,
  type LoopSignals,
  PlainReporter,
  ROOT,
  roundMetadata,
  type RunReporter,
  type ScopePath,
  type ScopePlan,
  StrategyReporter,
} from '#libs/agent-core';
import { AppError, type Clock, type Timers } from '#libs/kernel';
import type { ToolCatalogue, ToolLoad } from '#libs/tooling';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import type { AttemptTime } from '../attempt/attempt-time.js';
import type { Claim } from '../ports/claim-store.js';
import type { ResolvedModel } from '../ports/model-factory.js';
import type { RetryPolicy } from '../ports/retry-policy.js';
import type { StoredContext } from '../ports/stored-context.js';
import type { AgentRunner, PreparedByRunner, RunToPrepare } from '../runners/agent-runner.js';
import { assertCallableAgents, loadTools, toToolRun } from '../tools/load-tools.js';
import { planByBytesOrTokens } from './byte-tokenizer.js';
import { checkOptions, type ExecutionPlan, planExecution } from './execution-plan.js';
import { pinnedNames } from './preparation.js';
import { StoredFallbacks } from './stored-fallbacks.js';
import { heldBytes, takeAttachedRoom, withAttachments } from './with-attachments.js';
import { assertUsable, type UsableContext } from './usable-context.js';
import { withContents } from './with-contents.js';
import { withWorkspace } from './with-workspace.js';
import { withinTime } from './within-time.js';

/** Agent of a loop with its runner and its model. */
export interface ScopeAgent {
  readonly usable: UsableContext;
  readonly runner: AgentRunner;
  readonly model: ResolvedModel;
}

/** Parts of an attempt that all of its loops share. */
export interface ScopeParts {
  readonly journal: Parameters<AttemptDependencies['invokerOf']>[1]['lateOutcomes'];
  readonly retries: RetryPolicy;
  readonly time: Pick<AttemptTime, 'clock'>;
  readonly onEnd: ToolLoad['onEnd'];
}

/** Loop to plan: the root loop, or that of an agent called inside. */
export interface ScopeToPlan {
  readonly scope: ScopePath;
  readonly agent: ScopeAgent;
  /** Claim with the input of this loop. */
  readonly claim: Claim;
  /** Claim with the files that this loop reads. */
  readonly filesOf: Claim;
  readonly events: EventSink;
  readonly stop: AbortSignal;
  /** Set if the loop must wait for attachment memory that the execution does not hold yet. */
  readonly waitsForRoom?: LoopSignals;
  /** Restricts the loaded tools to those that this loop may call. */
  toolsOf?(loaded: ToolCatalogue): ToolCatalogue;
  /** Called once the tools are loaded. */
  onTools?(): Promise<void>;
  /** Called after the options were validated, before the preparation. */
  onChecked?(): void;
  /** Adapts the plan to the caller's limits. */
  shaped?(plan: ExecutionPlan): ExecutionPlan;
}

/** Throws an `AppError` when the agent cannot run at present. */
export function findScopeAgent(
  deps: Pick<AttemptDependencies, 'usecases' | 'models'>,
  stored: StoredContext | null,
): ScopeAgent {
  const usable = assertUsable(stored);
  const runner = deps.usecases.runnerOf(usable.usecaseType);
  const model = deps.models.of(usable.llm);
  const { id = usable.llm.model } = model;
  // An alias is resolved once: later attempts and every record name the model itself.
  return { usable: { ...usable, llm: { ...usable.llm, model: id } }, runner, model };
}

/**
 * Plans a loop from its tools, files and runner's preparation. `stopped`: cancelled or past the deadline. `drained`: the
 * process drains while the loop waits for memory. Throws an `AppError` when the loop cannot be planned.
 */
export async function planScope(
  deps: AttemptDependencies,
  parts: ScopeParts,
  asked: ScopeToPlan,
): Promise<ScopePlan | 'stopped' | 'drained'> {
  const { scope, claim, events, stop } = asked;
  const { usable, runner, model } = asked.agent;
  const loaded = await loadScopeTools(deps, parts, asked);
  if (loaded === null) return 'stopped';
  await asked.onTools?.();
  const catalogue = asked.toolsOf?.(loaded) ?? loaded;
  if (usable.preparation === null) await assertCallableAgents(catalogue, claim, deps.contexts, parts.retries);
  const equipped = await equip(deps, parts, asked);
  if (equipped === 'stopped' || equipped === 'drained') return equipped;
  const options = checkOptions(claim, equipped, model, catalogue);
  asked.onChecked?.();
  const added = await prepareRun(runner, { claim, usable: equipped, scope }, stop, deps.timers);
  if (added === null) return 'stopped';
  const { input } = claim.request;
  const planned = await planByBytesOrTokens({ input, messages: equipped.messages }, model, (counted) =>
    planExecution(claim, equipped, counted, catalogue, deps, added, options),
  );
  const plan = asked.shaped?.(planned) ?? planned;
  const { context, rules, nativeMedia } = plan;
  const { budget } = rules;
  const fallbacks = new StoredFallbacks(deps, { claim, usable, budget }, parts.retries);
  const invoker = { catalogue: plan.catalogue, nativeMedia, events, lateOutcomes: parts.journal };
  return {
    ...{ context, rules, events, model: model.model, fallbacks },
    tools: deps.invokerOf(claim, invoker),
    reporter: makeReporter(plan, events, parts.time.clock, scope),
  };
}

function loadScopeTools(
  deps: AttemptDependencies,
  { onEnd }: ScopeParts,
  { claim, scope, agent: { usable }, stop: signal }: ScopeToPlan,
): Promise<ToolCatalogue | null> {
  const hasSkills = usable.skills.length > 0;
  const given = { agentTools: usable.tools, hasSkills, pinned: pinnedNames(usable.preparation) };
  return loadTools(deps.tools, { ...toToolRun(claim, scope), ...given, onEnd, signal }, claim, deps.timers);
}

/** Adds files of the conversation and the request, and looked-up data, to the agent. */
async function equip(
  deps: AttemptDependencies,
  { onEnd }: ScopeParts,
  { claim, filesOf, agent: { usable, model }, stop, waitsForRoom: signals }: ScopeToPlan,
) {
  const withFiles = await withWorkspace(deps.files, claim, usable);
  const room = signals ? await takeAttachedRoom(deps.attachedRoom, { claim, signals, onEnd }) : null;
  if (room === 'stopped' || room === 'drained') return room;
  const attached = await withAttachments(deps, filesOf, withFiles, model, stop);
  if (attached === null) return 'stopped';
  if (room && attached.attached) room.keep(heldBytes(claim, attached.attached));
  return (await withContents(deps, claim, attached, stop)) ?? 'stopped';
}

/** Maximum time of a runner's preparation, in milliseconds. */
const MAX_PREPARATION_MS = 60_000;

/**
 * Runs the runner's preparation, if it has one and no earlier attempt has pinned it. Null when `stop` reports cancellation
 * or the deadline, even if the runner failed. Throws the retryable `RETRIEVAL_FAILED` on timeout, and errors of the
 * runner.
 */
async function prepareRun(
  runner: AgentRunner,
  run: RunToPrepare,
  stop: AbortSignal,
  timers: Timers,
): Promise<PreparedByRunner | null> {
  if (!runner.prepares || run.usable.preparation !== null) return {};
  const time = { claim: run.claim, stop, timers, longestMs: MAX_PREPARATION_MS, tooLate: takesTooLong };
  return withinTime((signal) => runner.prepare(run, signal), time);
}

function takesTooLong(cause: unknown): AppError {
  return new AppError({
    code: 'RETRIEVAL_FAILED',
    kind: 'timeout',
    message: `nothing was found within ${MAX_PREPARATION_MS / 1_000} s`,
    retryable: true,
    cause,
  });
}

/** Creates the reporter of a run: plain, or by its strategy. */
function makeReporter(
  { strategy, context, rules, provider }: ExecutionPlan,
  events: EventSink,
  clock: Clock,
  scope: ScopePath = ROOT,
): RunReporter {
  const { executionId, attempt, model } = context;
  if (strategy === null) return new PlainReporter(events, attempt);
  return new StrategyReporter(events, clock, {
    ...strategy,
    // Includes the scope, because two scopes number their logs alike.
    executionId: scope === ROOT ? executionId : `${executionId}/${scope}`,
    attempt,
    model,
    provider,
    maximumIterations: rules.maximumIterations,
    usageOf: (round) => roundMetadata(round, rules),
  });
}
