import { Injectable } from '@nestjs/common';
import { toRetrieverResources } from '#libs/agent-core';
import {
  cancelExecution,
  decideCalls,
  ExecutionDispatcher,
  ExecutionMeter,
  findRepeatable,
  SubmitExecution,
  type CallDecision,
  type NewExecutionWebhook,
  type Submission,
} from '#libs/executions';
import { assertNever } from '#libs/kernel';
import type { ExecuteRequest, ExecutionView } from '#libs/payloads';
import { ApprovalStore, CancellationStore, ExecutionStore } from '#libs/persistence';
import { requireImplemented } from '../agents/agents.checks.js';
import { AgentsQueries } from '../agents/agents.queries.js';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';
import { CheckStanding, CheckSubmission } from './executions.checks.js';
import type { DecisionsDto } from './executions.dto.js';
import {
  executionNotFound,
  notSettled,
  notWaiting,
  submissionRefused,
  unknownCalls,
  wrongKind,
} from './executions.faults.js';

/** A request to run an agent. */
export interface ExecuteCommand {
  readonly tenantId: string;
  readonly agentId: number;
  readonly request: ExecuteRequest;
  readonly idempotency: Submission['idempotency'];
  /** Of the execution, where somebody listens for it already. */
  readonly executionId?: string | undefined;
}

/** An execution, and whether it was accepted before under the same idempotency key. */
export interface SubmittedExecution {
  readonly view: ExecutionView;
  readonly isReplayed: boolean;
}

/** What clients ask of executions, and the fault that each refusal is. */
@Injectable()
export class ExecutionsCommands {
  constructor(
    private readonly agents: AgentsQueries,
    private readonly checkStanding: CheckStanding,
    private readonly checkSubmission: CheckSubmission,
    private readonly submitExecution: SubmitExecution,
    private readonly executions: ExecutionStore,
    private readonly cancellations: CancellationStore,
    private readonly approvals: ApprovalStore,
    private readonly dispatcher: ExecutionDispatcher,
    private readonly webhookSecrets: WebhookSecretKeeper,
    private readonly meter: ExecutionMeter,
  ) {}

  /** The execution as accepted, or as it is now when this request came before under the same idempotency key. */
  async submit({
    tenantId,
    agentId,
    request,
    idempotency,
    executionId,
  }: ExecuteCommand): Promise<SubmittedExecution> {
    const { view: agent } = await this.agents.findActive(tenantId, agentId);
    requireImplemented(agent.usecase_type);
    const limits = await this.checkStanding.execute(tenantId, agent, request);
    // Emitted when the run ends; what cannot be emitted is refused now.
    toRetrieverResources(request.context);
    await this.checkSubmission.execute(tenantId, agent, request);
    const { webhook, ...rest } = request;
    const submitted = await this.submitExecution.execute({
      tenantId,
      agentId,
      request: rest,
      webhook: webhook === undefined ? null : this.toNewWebhook(tenantId, webhook),
      idempotency,
      executionId,
      mostQueued: limits.queued_executions,
    });
    if (submitted.kind === 'submitted') return submitted;
    throw submissionRefused(submitted);
  }

  /** One that has ended stays as it ended. Throws `NOT_FOUND`. */
  async cancel(tenantId: string, executionId: string): Promise<ExecutionView> {
    const { cancellations, executions, dispatcher, meter } = this;
    const deps = { cancellations, executions, dispatcher, meter };
    const view = await cancelExecution(deps, tenantId, executionId);
    if (view === null) throw executionNotFound();
    return view;
  }

  /**
   * Submits the request of a settled execution again, as the next turn of its conversation; the old one stays as it is.
   * Throws `NOT_FOUND`, and `NOT_SETTLED` while the execution has not ended.
   */
  async retry(tenantId: string, executionId: string): Promise<ExecutionView> {
    const past = await findRepeatable(this.executions, tenantId, executionId);
    if (past.kind === 'not_found') throw executionNotFound();
    if (past.kind === 'not_settled') throw notSettled();
    const { agentId, request } = past;
    return (await this.submit({ tenantId, agentId, request, idempotency: null })).view;
  }

  /** Records a person's decisions, all or none; with the last one the execution goes on. */
  async decide(tenantId: string, executionId: string, { decisions }: DecisionsDto): Promise<ExecutionView> {
    const { approvals, executions, dispatcher } = this;
    const deps = { decisions: approvals, executions, dispatcher };
    const result = await decideCalls(deps, tenantId, executionId, decisions.map(toCallDecision));
    switch (result.kind) {
      case 'decided':
        return result.view;
      case 'not_found':
        throw executionNotFound();
      case 'not_waiting':
        throw notWaiting();
      case 'unknown_calls':
        throw unknownCalls(decisions, result.calls);
      case 'wrong_kind':
        throw wrongKind(result.calls);
      default:
        return assertNever(result);
    }
  }

  /** With a secret to sign it, in case that the tenant has none yet; one that is not needed is forgotten. */
  private toNewWebhook(
    tenantId: string,
    webhook: NonNullable<ExecuteRequest['webhook']>,
  ): NewExecutionWebhook {
    return { ...webhook, firstSecretSealed: this.webhookSecrets.make(tenantId).seal(null) };
  }
}

function toCallDecision({
  call,
  reason,
  approved,
  outcome,
  output,
}: DecisionsDto['decisions'][number]): CallDecision {
  if (outcome === undefined) return { call, reason, approved: approved === true };
  const report = outcome === 'happened' ? { kind: outcome, output: output ?? null } : { kind: outcome };
  return { call, reason, report };
}
