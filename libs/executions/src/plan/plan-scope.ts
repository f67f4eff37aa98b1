import type { EventSink, LoopSignals, ScopePath, ScopePlan } from '#libs/agent-core';
import type { ToolCatalogue, ToolLoad } from '#libs/tooling';
import type { Claim } from '../ports/claim-store.js';
import type { ResolvedModel } from '../ports/model-factory.js';
import type { Patience } from '../ports/patience.js';
import type { StoredContext } from '../ports/stored-context.js';
import type { AgentRunner } from '../runners/agent-runner.js';
import { assertCallableAgents } from '../tools/assert-callable-agents.js';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import type { AttemptTime } from '../attempt/attempt-time.js';
import { checkOptions, planExecution, type ExecutionPlan } from './execution-plan.js';
import { loadTools } from '../tools/load-tools.js';
import { makeReporter } from './make-reporter.js';
import { pinnedNames } from './preparation.js';
import { prepareRun } from './prepare-run.js';
import { heldBytes, takeAttachedRoom } from './take-attached-room.js';
import { toToolRun } from '../tools/tool-run.js';
import { assertUsable, type UsableContext } from './usable-context.js';
import { withAttachments } from './with-attachments.js';
import { withContents } from './with-contents.js';
import { withWorkspace } from './with-workspace.js';

/** The agent of a loop, with the runner that prepares it and the model that it asks. */
export interface ScopeAgent {
  readonly usable: UsableContext;
  readonly runner: AgentRunner;
  readonly model: ResolvedModel;
}

/** The parts of an attempt that all of its loops share. */
export interface ScopeParts {
  readonly journal: Parameters<AttemptDependencies['invokerOf']>[1]['lateOutcomes'];
  readonly patience: Patience;
  readonly time: Pick<AttemptTime, 'clock'>;
  readonly onEnd: ToolLoad['onEnd'];
}

/** A loop to plan: that of the root, or of an agent that is called inside. */
export interface ScopeToPlan {
  readonly scope: ScopePath;
  readonly agent: ScopeAgent;
  /** The claim, with what this loop is asked. */
  readonly claim: Claim;
  /** The claim with the files that this loop reads. */
  readonly filesOf: Claim;
  readonly events: EventSink;
  readonly stop: AbortSignal;
  /** The loop waits for room for its files, where they are not held for the execution already. */
  readonly waitsForRoom?: LoopSignals;
  /** The tools that it may call, of those that its agent has. */
  toolsOf?(loaded: ToolCatalogue): ToolCatalogue;
  /** Called once its tools are there. */
  onTools?(): Promise<void>;
  /** Called once it is known to be plannable, before anything is looked for. */
  onChecked?(): void;
  /** The plan as its caller wants it. */
  shaped?(plan: ExecutionPlan): ExecutionPlan;
}

/** Throws an `AppError` where the agent cannot be run just now. */
export function findScopeAgent(
  deps: Pick<AttemptDependencies, 'usecases' | 'models'>,
  stored: StoredContext | null,
): ScopeAgent {
  const usable = assertUsable(stored);
  const runner = deps.usecases.runnerOf(usable.usecaseType);
  return { usable, runner, model: deps.models.of(usable.llm) };
}

/**
 * Plans a loop, of the root as of an agent inside: loads its tools, reads its files, has its runner prepare it, and plans it
 * once by all of that. `stopped`: it is cancelled or late; `drained`: the process ends before there was room for its files.
 * Throws an `AppError` that says why it cannot be planned.
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
  if (usable.preparation === null)
    await assertCallableAgents(catalogue, claim, deps.contexts, parts.patience);
  const equipped = await equip(deps, parts, asked);
  if (equipped === 'stopped' || equipped === 'drained') return equipped;
  await model.tokenizer.load();
  const options = checkOptions(claim, equipped, model, catalogue);
  asked.onChecked?.();
  const added = await prepareRun(runner, { claim, usable: equipped, scope }, stop, deps.timers);
  if (added === null) return 'stopped';
  const planned = planExecution(claim, equipped, model, catalogue, deps, added, options);
  const plan = asked.shaped?.(planned) ?? planned;
  const { context, rules, nativeMedia } = plan;
  const invoker = { catalogue: plan.catalogue, nativeMedia, events, lateOutcomes: parts.journal };
  return {
    ...{ context, rules, events, model: model.model },
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

/** The agent with what its model reads besides: files of the conversation and of the request, and data that is looked up. */
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
