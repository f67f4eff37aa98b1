import {
  LeaseLostError,
  ScopePlanner,
  stripThinkBlocks,
  type EventSink,
  type Journal,
  type ScopePlan,
  type ScopeRequest,
} from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { executorIdOf } from '#libs/payloads';
import type { ToolLoad } from '#libs/tooling';
import { ScopedEventSink } from '../events/scoped-event-sink.js';
import type { Claim } from '../ports/claim-store.js';
import type { Patience } from '../ports/patience.js';
import type { PreparedByRunner } from '../runners/agent-runner.js';
import { isInfrastructureFailure } from '../ports/storage-failure.js';
import { answering, answerRulesOf, asStepAgent, stepOf, toolsOfStep } from '../pipelines/step-agent.js';
import { assertCallableAgents } from './assert-callable-agents.js';
import type { AttemptDependencies } from './attempt-dependencies.js';
import type { AttemptTime } from './attempt-time.js';
import { withAttachments } from './with-attachments.js';
import { withinLimits } from './within-limits.js';
import { withWorkspace } from './with-workspace.js';
import { planExecution } from './execution-plan.js';
import { assertUsable } from './usable-context.js';
import { loadTools } from './load-tools.js';
import { makeReporter } from './make-reporter.js';
import { pinnedNames } from './preparation.js';
import { prepareRun } from './prepare-run.js';
import { toToolRun } from './tool-run.js';

/** What of its attempt the scopes inside an execution share. */
export interface AttemptParts {
  readonly claim: Claim;
  readonly journal: Journal;
  readonly patience: Patience;
  readonly events: EventSink;
  readonly time: Pick<AttemptTime, 'clock'>;
  readonly onEnd: ToolLoad['onEnd'];
}

/** Plans the loops of the agents that an execution calls: each with its own model, prompt, tools, iterations and budget. */
export class AgentScopes extends ScopePlanner {
  constructor(
    private readonly deps: AttemptDependencies,
    private readonly parts: AttemptParts,
  ) {
    super();
  }

  /**
   * An agent that cannot be run is the answer of its call, and no end of the execution; that the tokens or the files of the
   * request are gone is one, wherever they are asked for.
   */
  override async plan(request: ScopeRequest, signal: AbortSignal): Promise<ScopePlan | 'stopped' | null> {
    try {
      return await this.planAgent(request, signal);
    } catch (err) {
      // A worker that is stopped for its lease may still write: what it has not found out is for the next one.
      if (err instanceof LeaseLostError) throw err;
      if (isInfrastructureFailure(err, this.deps.judgeStorageError) || !(err instanceof AppError)) throw err;
      if (ENDS_ALL.has(err.code)) throw err;
      const { executionId } = this.parts.claim;
      this.deps.logger.warn(
        { err, executionId, agentId: request.agentId, scope: request.scope },
        'agent not usable',
      );
      return null;
    }
  }

  override eventsOf({ scope, parentCallId }: Pick<ScopeRequest, 'scope' | 'parentCallId'>): EventSink {
    return new ScopedEventSink(this.parts.events, { scope, parent_tool_use_id: parentCallId });
  }

  private async planAgent(request: ScopeRequest, signal: AbortSignal): Promise<ScopePlan | 'stopped'> {
    const { deps, parts } = this;
    const { agentId, scope, preparation } = request;
    const { journal, time } = parts;
    const version = preparation?.agent.version ?? request.step?.agentVersion ?? null;
    const { tenantId, request: accepted } = parts.claim;
    const stored = await deps.contexts.loadAgent(
      { tenantId, agentId, version, executorId: executorIdOf(accepted) },
      parts.patience,
    );
    const step = request.step && stored ? stepOf(stored, request.step.name) : null;
    const agent = step && stored ? asStepAgent(stored, request.caller) : stored;
    const usable = assertUsable(agent && { ...answering(agent, request), preparation, ...NO_CONVERSATION });
    const runner = deps.usecases.runnerOf(usable.usecaseType);
    const claim = asCalled(parts.claim, request);
    const hasSkills = usable.skills.length > 0;
    const { onEnd } = parts;
    const pinned = pinnedNames(preparation);
    const given = { agentTools: usable.tools, hasSkills, pinned };
    const context = { ...toToolRun(claim, scope), ...given, onEnd, signal };
    const loaded = await loadTools(deps.tools, context, claim, deps.timers);
    if (loaded === null) return 'stopped';
    const catalogue = step ? toolsOfStep(step, loaded) : loaded;
    if (preparation === null) await assertCallableAgents(catalogue, claim, deps.contexts, parts.patience);
    const model = deps.models.of(usable.llm);
    const withFiles = await withWorkspace(deps.files, claim, usable);
    const reading = step?.attachments === true ? claimOfFiles(parts.claim, request) : claim;
    const equipped = await withAttachments(deps, reading, withFiles, model, signal);
    if (equipped === null) return 'stopped';
    const planWith = (added: PreparedByRunner) =>
      withinLimits(planExecution(claim, equipped, model, catalogue, deps, added), request.limits);
    const run = { claim, usable, scope };
    const plan = await prepareRun(runner, run, planWith({}), planWith, signal, deps.timers);
    if (plan === null) return 'stopped';
    const events = this.eventsOf(request);
    return {
      context: plan.context,
      rules: {
        ...plan.rules,
        ...answerRulesOf(request, deps.compileSchema),
        // Whoever calls it works with its answer, and follows no thoughts (S0-25).
        ...(plan.strategy !== null && { visibleText: stripThinkBlocks }),
      },
      model: model.model,
      tools: deps.invokerOf(claim, {
        ...{ catalogue: plan.catalogue, nativeMedia: plan.nativeMedia },
        ...{ events, lateOutcomes: journal },
      }),
      events,
      reporter: makeReporter(plan, events, time.clock, scope),
    };
  }
}

/** An agent that is called knows of the conversation what it is asked, and nothing else. */
const NO_CONVERSATION = { messages: [], hasOlder: false, hasForeignHistory: false, summary: null } as const;

/** What the request of the execution came with, and is not there any more. */
const ENDS_ALL: ReadonlySet<string> = new Set(['TOKENS_EXPIRED', 'ATTACHMENT_LOST', 'ATTACHMENT_UNREADABLE']);

/** The files that came with a request are for the steps of the agent that it named. */
function claimOfFiles(claim: Claim, request: ScopeRequest): Claim {
  return request.scope.includes('/') ? asCalled(claim, request) : claim;
}

/** What a client asked of the execution is meant for the agent that it named, and for nobody that this one calls. */
function asCalled(claim: Claim, { agentId, input, scope, step }: ScopeRequest): Claim {
  // The steps of the agent that it named are that agent.
  if (step !== undefined && !scope.includes('/'))
    return { ...claim, request: { ...claim.request, input, additional_data: {} } };
  const { executor } = claim.request;
  const request = { input, additional_data: {}, options: {}, ...(executor !== undefined && { executor }) };
  return { ...claim, agentId, request: { ...request, agent_id: agentId } as Claim['request'] };
}
