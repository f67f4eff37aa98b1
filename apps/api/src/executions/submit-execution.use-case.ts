import { Inject, Injectable } from '@nestjs/common';
import { toRetrieverResources } from '#libs/agent-core';
import { assertNever, type IdGenerator } from '#libs/kernel';
import type { ExecuteRequest, ExecutionView, ExecutionWebhook } from '#libs/payloads';
import { ExecutionStore, type NewExecutionWebhook, type Submission } from '#libs/persistence';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';
import { requireImplemented } from '../agents/agent-fields.js';
import { FindActiveAgent } from '../agents/find-active-agent.use-case.js';
import { AcceptSubmission } from './accept-submission.js';
import { CheckStanding } from './check-standing.js';
import { CheckSubmission } from './check-submission.js';
import { ExecutionDispatcher } from './execution-dispatcher.js';
import {
  conversationLocked,
  executionNotFound,
  idempotencyKeyReused,
  overloaded,
  sessionNotFound,
  tenantFull,
} from './execution.faults.js';

/** Token of the `IdGenerator` that names executions and sessions. */
export const IDS = Symbol('id generator');

/** A request to run an agent. */
export interface SubmitCommand {
  readonly tenantId: string;
  readonly agentId: number;
  readonly request: ExecuteRequest;
  readonly idempotency: Submission['idempotency'];
}

/** Accepts an execution and has it sent to a worker (S3-8 … S3-10). */
@Injectable()
export class SubmitExecution {
  constructor(
    private readonly findActiveAgent: FindActiveAgent,
    private readonly checkStanding: CheckStanding,
    private readonly checkSubmission: CheckSubmission,
    private readonly acceptSubmission: AcceptSubmission,
    private readonly executions: ExecutionStore,
    private readonly dispatcher: ExecutionDispatcher,
    private readonly webhookSecrets: WebhookSecretKeeper,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  /** The execution as accepted, or as it is now when this request came before under the same idempotency key. */
  async execute(command: SubmitCommand): Promise<ExecutionView> {
    const { view: agent } = await this.findActiveAgent.execute(command.tenantId, command.agentId);
    requireImplemented(agent.usecase_type);
    const limits = await this.checkStanding.execute(command.tenantId, agent, command.request);
    // Told when the run ends; what cannot be told is refused now.
    toRetrieverResources(command.request.context);
    await this.checkSubmission.execute(command.tenantId, agent, command.request);
    const acceptance = await this.acceptSubmission.execute(
      this.#toSubmission(command),
      command.request.on_conflict ?? 'enqueue',
      limits.queued_executions,
    );
    switch (acceptance.kind) {
      case 'accepted':
        this.dispatcher.trigger();
        return acceptance.view;
      case 'replayed':
        return this.#read(command.tenantId, acceptance.executionId);
      case 'key_reused':
        throw idempotencyKeyReused();
      case 'session_busy':
        throw conversationLocked();
      case 'session_not_found':
        throw sessionNotFound();
      case 'tenant_full':
        throw tenantFull(acceptance.retryAfterSeconds);
      case 'overloaded':
        throw overloaded(acceptance.retryAfterSeconds);
      default:
        return assertNever(acceptance);
    }
  }

  #toSubmission({ tenantId, agentId, request, idempotency }: SubmitCommand): Submission {
    const { session_uuid: sessionId, metadata, webhook, on_conflict: _decided, ...rest } = request;
    return {
      tenantId,
      agentId,
      executionId: this.ids.next(),
      sessionId: sessionId ?? null,
      newSessionId: this.ids.next(),
      request: rest,
      webhook: webhook === undefined ? null : this.#toNewWebhook(tenantId, webhook),
      metadata,
      idempotency,
    };
  }

  /** With a secret to sign it, in case that the tenant has none yet; one that is not needed is forgotten. */
  #toNewWebhook(tenantId: string, webhook: ExecutionWebhook): NewExecutionWebhook {
    return { ...webhook, firstSecretSealed: this.webhookSecrets.make(tenantId).seal(null) };
  }

  async #read(tenantId: string, executionId: string): Promise<ExecutionView> {
    const view = await this.executions.find(tenantId, executionId);
    if (view === null) throw executionNotFound();
    return view;
  }
}
