import {
  LeaseLostError,
  ScopePlanner,
  stripThinkBlocks,
  type EventSink,
  type ScopePlan,
  type ScopeRequest,
} from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { executorIdOf } from '#libs/payloads';
import { ScopedEventSink } from '../events/scoped-event-sink.js';
import type { Claim } from '../ports/claim-store.js';
import { isInfrastructureFailure } from '../ports/storage-failure.js';
import { answering, answerRulesOf, asStepAgent, stepOf, toolsOfStep } from '../pipelines/step-agent.js';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import { withinLimits } from './within-limits.js';
import type { ExecutionPlan } from './execution-plan.js';
import { findScopeAgent, planScope, type ScopeParts } from './plan-scope.js';

/** Parts of the attempt that inner scopes share. */
interface PartsInside extends ScopeParts {
  readonly claim: Claim;
  readonly events: EventSink;
}

/** Plans the loops of agents called by an execution: each has its own model, prompt, tools, iterations and budget. */
export class AgentScopes extends ScopePlanner {
  constructor(
    private readonly deps: AttemptDependencies,
    private readonly parts: PartsInside,
  ) {
    super();
  }

  /**
   * An agent that cannot run fails only its call. Expired tokens or lost files of the request end the execution, at any
   * depth.
   */
  override async plan(request: ScopeRequest, signal: AbortSignal): Promise<ScopePlan | 'stopped' | null> {
    try {
      return await this.planAgent(request, signal);
    } catch (err) {
      // A worker without its lease may still be able to write; it must not record the agent as unusable.
      if (err instanceof LeaseLostError) throw err;
      if (isInfrastructureFailure(err, this.deps.classifyStorageError) || !(err instanceof AppError))
        throw err;
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
    const version = preparation?.agent.version ?? request.step?.agentVersion ?? null;
    const { tenantId, request: accepted } = parts.claim;
    const stored = await deps.contexts.loadAgent(
      { tenantId, agentId, version, executorId: executorIdOf(accepted) },
      parts.retries,
    );
    const step = request.step && stored ? stepOf(stored, request.step.name) : null;
    const agent = step && stored ? asStepAgent(stored, request.caller) : stored;
    const claim = asCalled(parts.claim, request);
    const plan = await planScope(deps, parts, {
      ...{ scope, claim, events: this.eventsOf(request), stop: signal },
      agent: findScopeAgent(deps, agent && { ...answering(agent, request), preparation, ...NO_CONVERSATION }),
      filesOf: step?.attachments === true ? claimOfFiles(parts.claim, request) : claim,
      toolsOf: (loaded) => (step ? toolsOfStep(step, loaded) : loaded),
      shaped: (planned) => shapeFor(request, planned, deps),
    });
    if (plan === 'drained') throw new Error('a scope inside waits for no room');
    return plan;
  }
}

/** The plan within the caller's limits; the caller uses only the answer and follows no thinking (S0-25). */
function shapeFor(
  request: ScopeRequest,
  planned: ExecutionPlan,
  { compileSchema }: Pick<AttemptDependencies, 'compileSchema'>,
): ExecutionPlan {
  const plan = withinLimits(planned, request.limits);
  const rules = {
    ...plan.rules,
    ...answerRulesOf(request, compileSchema),
    ...(plan.strategy !== null && { visibleText: stripThinkBlocks }),
  };
  return { ...plan, rules };
}

/** A called agent sees only its input, not the conversation. */
const NO_CONVERSATION = { messages: [], hasOlder: false, hasForeignHistory: false, summary: null } as const;

/** Errors about parts of the request that are gone; they end the whole execution. */
const ENDS_ALL: ReadonlySet<string> = new Set(['TOKENS_EXPIRED', 'ATTACHMENT_LOST', 'ATTACHMENT_UNREADABLE']);

/** Files of a request are available only to the steps of the requested agent. */
function claimOfFiles(claim: Claim, request: ScopeRequest): Claim {
  return request.scope.includes('/') ? asCalled(claim, request) : claim;
}

/** Options and data of the request apply to the requested agent only, not to agents that it calls. */
function asCalled(claim: Claim, { agentId, input, scope, step }: ScopeRequest): Claim {
  // Steps of the requested agent count as that agent.
  if (step !== undefined && !scope.includes('/'))
    return { ...claim, request: { ...claim.request, input, additional_data: {} } };
  const { executor } = claim.request;
  const request = { input, additional_data: {}, options: {}, ...(executor !== undefined && { executor }) };
  return { ...claim, agentId, request: { ...request, agent_id: agentId } as Claim['request'] };
}
