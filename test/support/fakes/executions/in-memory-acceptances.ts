import {
  AcceptanceStore,
  type Acceptance,
  type DispatchOptions,
  type EarlierAcceptance,
  type Submission,
} from '#libs/executions';
import { InMemoryDispatches } from './in-memory-dispatches.js';
import type { InMemoryExecutions, InMemorySession } from './in-memory-executions.js';

/** Accepts work in memory; an acceptance is never lost. */
export class InMemoryAcceptances extends AcceptanceStore {
  /** @param options that decide whether an execution counts as sent at its acceptance; null: never */
  constructor(
    protected readonly store: InMemoryExecutions,
    private readonly options: DispatchOptions | null = null,
  ) {
    super();
  }

  override findEarlier(
    submission: Pick<Submission, 'tenantId' | 'idempotency'>,
  ): Promise<EarlierAcceptance | null> {
    return Promise.resolve(this.earlier(submission));
  }

  override accept(submission: Submission): Promise<Acceptance> {
    return Promise.resolve(this.earlier(submission) ?? this.acceptNew(submission));
  }

  override acceptIfFree(submission: Submission & { readonly sessionId: string }): Promise<Acceptance> {
    const { sessionId, tenantId, agentId } = submission;
    const session = this.store.sessions.get(sessionId);
    // A session of another tenant or agent, or an archived one, is refused as that, not as busy.
    const isUsable = session?.tenantId === tenantId && session.agentId === agentId && session.isActive;
    if (!isUsable || this.store.unsettledOf(sessionId).length === 0) return this.accept(submission);
    return Promise.resolve(this.earlier(submission) ?? { kind: 'session_busy' });
  }

  override flush(_executionId: string): Promise<void> {
    return Promise.resolve();
  }

  private earlier({
    tenantId,
    idempotency,
  }: Pick<Submission, 'tenantId' | 'idempotency'>): EarlierAcceptance | null {
    if (idempotency === null) return null;
    const known = this.store.keys.get(nameOf(tenantId, idempotency.key));
    if (!known) return null;
    if (known.requestSha256 !== idempotency.requestSha256) return { kind: 'key_reused' };
    return { kind: 'replayed', executionId: known.executionId };
  }

  private acceptNew(submission: Submission): Acceptance {
    const { executionId, tenantId, agentId, request, metadata, idempotency, webhook } = submission;
    const sessionId = submission.sessionId ?? submission.newSessionId;
    const full = this.findFull(submission);
    if (full !== null) return full;
    const session =
      submission.sessionId === null ? this.begin(submission) : this.store.sessions.get(sessionId);
    if (session?.tenantId !== tenantId || session.agentId !== agentId) return { kind: 'session_not_found' };
    if (!session.isActive) return { kind: 'session_archived' };
    const turnNumber = session.nextTurn;
    session.nextTurn += 1;
    if (idempotency !== null) {
      const { key, requestSha256 } = idempotency;
      this.store.keys.set(nameOf(tenantId, key), { requestSha256, executionId });
    }
    const execution = this.store.accept({
      ...{ executionId, tenantId, agentId, sessionId, turnNumber, request, metadata },
      agentVersion: null,
      webhook: webhook && { url: webhook.url, events: webhook.events },
    });
    execution.isSent =
      this.options !== null && new InMemoryDispatches(this.store).isRoomFor(execution, this.options);
    return {
      kind: 'accepted',
      view: execution.storedView(),
      isDispatched: execution.isSent,
      isAssigned: false,
    };
  }

  private findFull({ tenantId, counted }: Submission): Acceptance | null {
    if (!counted) return null;
    const queued = this.store.all().filter(({ status }) => status === 'queued');
    const ofTenant = queued.filter(({ accepted }) => accepted.tenantId === tenantId);
    if (ofTenant.length >= (counted.tenantQueued ?? Infinity)) return { kind: 'no_room', of: 'tenant' };
    return queued.length >= (counted.queued ?? Infinity) ? { kind: 'no_room', of: 'all' } : null;
  }

  private begin({ tenantId, agentId, newSessionId }: Submission): InMemorySession {
    const session = { tenantId, agentId, nextTurn: 1, isActive: true };
    this.store.sessions.set(newSessionId, session);
    return session;
  }
}

function nameOf(tenantId: string, key: string): string {
  return JSON.stringify([tenantId, key]);
}
