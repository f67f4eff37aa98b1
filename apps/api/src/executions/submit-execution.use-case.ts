import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { toRetrieverResources } from '#libs/agent-core';
import { assertNever, type IdGenerator } from '#libs/kernel';
import type { ExecuteRequest, ExecutionView, ExecutionWebhook } from '#libs/payloads';
import {
  CancellationStore,
  ExecutionIntakeStore,
  ExecutionStore,
  type Acceptance,
  type NewExecutionWebhook,
  type Submission,
} from '#libs/persistence';
import { WebhookSecretKeeper } from '../webhook-endpoints/webhook-secret-keeper.js';
import { requireImplemented } from '../agents/agent-fields.js';
import { FindActiveAgent } from '../agents/find-active-agent.use-case.js';
import { ExecutionDispatcher } from './execution-dispatcher.js';
import {
  conversationLocked,
  executionNotFound,
  idempotencyKeyReused,
  sessionNotFound,
} from './execution.faults.js';

/** How long `on_conflict: reject` waits for the conversation (S4-3). */
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 100;

type OnConflict = NonNullable<ExecuteRequest['on_conflict']>;

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
    private readonly intake: ExecutionIntakeStore,
    private readonly executions: ExecutionStore,
    private readonly cancellations: CancellationStore,
    private readonly dispatcher: ExecutionDispatcher,
    private readonly webhookSecrets: WebhookSecretKeeper,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  /** The execution as accepted, or as it is now when this request came before under the same idempotency key. */
  async execute(command: SubmitCommand): Promise<ExecutionView> {
    const agent = await this.findActiveAgent.execute(command.tenantId, command.agentId);
    requireImplemented(agent.usecase_type);
    // Told when the run ends; what cannot be told is refused now.
    toRetrieverResources(command.request.context);
    const acceptance = await this.#accept(
      this.#toSubmission(command),
      command.request.on_conflict ?? 'enqueue',
    );
    switch (acceptance.kind) {
      case 'accepted':
        this.dispatcher.poke();
        return acceptance.view;
      case 'replayed':
        return this.#read(command.tenantId, acceptance.executionId);
      case 'key_reused':
        throw idempotencyKeyReused();
      case 'session_busy':
        throw conversationLocked();
      case 'session_not_found':
        throw sessionNotFound();
      default:
        return assertNever(acceptance);
    }
  }

  async #accept(submission: Submission, onConflict: OnConflict): Promise<Acceptance> {
    const { sessionId, tenantId } = submission;
    if (sessionId === null) return this.intake.accept(submission);
    switch (onConflict) {
      case 'enqueue':
        return this.intake.accept(submission);
      case 'interrupt':
        await this.cancellations.requestForSession(tenantId, sessionId);
        return this.intake.accept(submission);
      case 'reject':
        return this.#acceptWhenFree({ ...submission, sessionId });
    }
  }

  /** A conversation that is about to be free is worth a short wait (S4-3). */
  async #acceptWhenFree(submission: Submission & { readonly sessionId: string }): Promise<Acceptance> {
    const giveUpAt = performance.now() + LOCK_WAIT_MS;
    for (;;) {
      const acceptance = await this.intake.acceptIfFree(submission);
      if (acceptance.kind !== 'session_busy' || performance.now() >= giveUpAt) return acceptance;
      await delay(LOCK_POLL_MS);
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
