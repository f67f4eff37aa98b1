import type { IdGenerator } from '#libs/kernel';
import type { ExecuteRequest, ExecutionView, RequestTokens } from '#libs/payloads';
import type { AcceptedSender } from '../dispatch/accepted-sender.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { ExecutionReader } from '../ports/execution-reader.js';
import type { Acceptance, SealedToken, Submission } from '../ports/acceptance-store.js';
import { acceptSubmission, type AcceptDependencies, type NotAdmitted } from './accept-submission.js';

/** The limit that a full tenant has reached. */
export interface ReachedLimit {
  readonly most: number;
  /** True for the tenant's own setting (`limits.queued_executions`); false for the service's (`TENANT_QUEUE_LIMIT`). */
  readonly isOwn: boolean;
}

/** Request to run an agent. */
export interface SubmitCommand {
  readonly tenantId: string;
  readonly agentId: number;
  readonly request: ExecuteRequest;
  readonly idempotency: Submission['idempotency'];
  /** Execution id, if the caller already subscribed to its events. */
  readonly executionId?: string | undefined;
}

/** Findings of the checks that agent, model, tenant and options of a request have passed. */
export interface PassedChecks {
  /** Maximum queued executions of the tenant; null without a limit of its own. */
  readonly mostQueued: number | null;
  /** Version marks of the rows used for validation; null skips the check. */
  readonly checkedBy: Submission['checkedBy'];
}

export type Submitted =
  /** The accepted execution, or its current state for a replay under the same idempotency key. */
  | { readonly kind: 'submitted'; readonly view: ExecutionView; readonly isReplayed: boolean }
  | Exclude<Acceptance, { kind: 'accepted' | 'replayed' | 'no_room' }>
  | Exclude<NotAdmitted, { kind: 'tenant_full' }>
  | (Extract<NotAdmitted, { kind: 'tenant_full' }> & { readonly limit: ReachedLimit })
  /** The execution of the earlier request was deleted. */
  | { readonly kind: 'gone' };

/** Seals a secret of a request for one execution; returns the stored form. */
export type SealToken = (
  execution: Pick<Submission, 'tenantId' | 'executionId'>,
  name: string,
  secret: string,
) => string;

/** Generates a signing secret for the webhooks of a tenant's executions; returns the stored form. */
export type SealWebhookSecret = (tenantId: string) => string;

export interface SubmitDependencies extends AcceptDependencies {
  readonly executions: Pick<ExecutionReader, 'find'>;
  readonly dispatcher: Pick<Dispatcher<unknown>, 'trigger'>;
  readonly acceptedSender: Pick<AcceptedSender, 'send'>;
  /** Generates ids of executions and sessions. */
  readonly ids: IdGenerator;
  /** Throws if secrets cannot be stored. */
  readonly sealToken: SealToken;
  /** Throws if secrets cannot be stored. */
  readonly sealWebhookSecret: SealWebhookSecret;
}

/** Accepts an execution and sends it to a worker (S3-8 … S3-10). */
export class SubmitExecution {
  constructor(private readonly deps: SubmitDependencies) {}

  async execute(command: SubmitCommand, { mostQueued, checkedBy }: PassedChecks): Promise<Submitted> {
    const { acceptances, dispatcher, acceptedSender, limits } = this.deps;
    const tenantQueued = Math.min(limits.tenantQueued, mostQueued ?? Infinity);
    const deps = { ...this.deps, limits: { ...limits, tenantQueued } };
    const onConflict = command.request.on_conflict ?? 'enqueue';
    const acceptance = await acceptSubmission(deps, this.toSubmission(command, checkedBy), onConflict);
    switch (acceptance.kind) {
      case 'accepted':
        // The execution starts before the flush: it is not acknowledged yet, and all writes of a worker become durable
        // only together with it.
        if (acceptance.isDispatched) acceptedSender.send(acceptance.view.id);
        else if (!acceptance.isAssigned) dispatcher.trigger();
        await acceptances.flush(acceptance.view.id);
        return { kind: 'submitted', view: acceptance.view, isReplayed: false };
      case 'replayed':
        return this.replay(command.tenantId, acceptance.executionId);
      case 'key_reused':
      case 'session_busy':
      case 'session_not_found':
      case 'session_archived':
      case 'outdated':
      case 'overloaded':
        return acceptance;
      case 'tenant_full': {
        const isOwn = (mostQueued ?? Infinity) <= limits.tenantQueued;
        return { ...acceptance, limit: { most: tenantQueued, isOwn } };
      }
    }
  }

  /** Outcome of an earlier request with the same idempotency key; null without one. */
  async findEarlier(command: Pick<SubmitCommand, 'tenantId' | 'idempotency'>): Promise<Submitted | null> {
    const earlier = await this.deps.acceptances.findEarlier(command);
    return earlier?.kind === 'replayed' ? this.replay(command.tenantId, earlier.executionId) : earlier;
  }

  private async replay(tenantId: string, executionId: string): Promise<Submitted> {
    const { executions, acceptances } = this.deps;
    const view = await executions.find(tenantId, executionId);
    if (view === null) return { kind: 'gone' };
    // The accepting process may not have flushed it yet.
    await acceptances.flush(view.id);
    return { kind: 'submitted', view, isReplayed: true };
  }

  private toSubmission(
    { tenantId, agentId, request, ...command }: SubmitCommand,
    checkedBy: Submission['checkedBy'],
  ): Submission {
    // The remaining fields are stored unsealed; they contain no secrets.
    const { session_uuid: sessionId, session_metadata: sessionMetadata = {}, ...others } = request;
    const { metadata, webhook, on_conflict: _decided, tokens = {}, ...rest } = others;
    const { ids } = this.deps;
    const executionId = command.executionId ?? ids.next();
    const sealed = this.sealTokens({ tenantId, executionId }, tokens);
    return {
      tenantId,
      agentId,
      executionId,
      sessionId: sessionId ?? null,
      newSessionId: ids.next(),
      sessionMetadata,
      request: { ...rest, ...(sealed.length > 0 && { token_names: sealed.map(({ name }) => name) }) },
      tokens: sealed,
      webhook: webhook ? { ...webhook, firstSecretSealed: this.deps.sealWebhookSecret(tenantId) } : null,
      metadata,
      idempotency: command.idempotency,
      checkedBy,
    };
  }

  private sealTokens(
    execution: Pick<Submission, 'tenantId' | 'executionId'>,
    tokens: RequestTokens,
  ): SealedToken[] {
    return Object.entries(tokens).map(([name, secret]) => ({
      name,
      sealed: this.deps.sealToken(execution, name, secret),
    }));
  }
}
