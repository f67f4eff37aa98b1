import type { UsageRecord } from '#libs/agent-core';
import type { StoredMessage } from '../ports/stored-context.js';
import {
  SummaryStore,
  type ClaimedSummary,
  type DueSummary,
  type MessageRange,
  type NewSummary,
  type SummaryDispatchOptions,
} from '../ports/summary-store.js';
import type { ContendedExecution } from './contended-execution.js';
import type { InMemoryExecutions } from './in-memory-executions.js';

/** What is known of one order beside the settlement that wrote it. */
interface InMemoryOrder {
  tries: number;
  isSent: boolean;
  isDue: boolean;
  token: string | null;
}

/** Summaries of conversations in memory. */
export class InMemorySummaries extends SummaryStore {
  /** By the call that they are of. */
  readonly usage = new Map<string, UsageRecord>();
  /** The last settlement of each session whose order is over, by its execution. */
  private readonly over = new Map<string, string>();
  private readonly orders = new Map<string, InMemoryOrder>();

  constructor(private readonly store: InMemoryExecutions) {
    super();
  }

  override take({ limit }: SummaryDispatchOptions): Promise<readonly DueSummary[]> {
    const due = [...this.store.sessions.keys()].filter((sessionId) => {
      const order = this.orderOf(sessionId);
      return order?.isDue === true && order.token === null && !order.isSent;
    });
    const taken = due.slice(0, limit).map((sessionId) => ({ sessionId }));
    for (const { sessionId } of taken) this.change(sessionId, { isSent: true });
    return Promise.resolve(taken);
  }

  override requeue(due: readonly DueSummary[]): Promise<void> {
    for (const { sessionId } of due) this.change(sessionId, { isSent: false });
    return Promise.resolve();
  }

  override claim(sessionId: string, token: string): Promise<ClaimedSummary | null> {
    const order = this.orderOf(sessionId);
    const ordering = this.orderingOf(sessionId);
    const asked = ordering?.settlements.at(-1)?.summary;
    if (!order?.isDue || order.token !== null || !ordering || !asked) return Promise.resolve(null);
    this.change(sessionId, { token, tries: order.tries + 1, isSent: false });
    const { tenantId, agentId, executionId, agentVersion } = ordering.accepted;
    const summary = this.store.findSummary(sessionId);
    const firstTurn = this.store.firstShownTurn(sessionId);
    const agent = this.store.findAgent(agentId, agentVersion);
    const isActive = this.store.findAgent(agentId, null)?.agentIsActive === true;
    return Promise.resolve({
      ...{ sessionId, token, tenantId, agentId, executionId, ...asked },
      version: (this.store.summaries.get(sessionId)?.version ?? 0) + 1,
      tryNumber: order.tries + 1,
      previous: summary?.content ?? null,
      firstTurn,
      fromTurn: summary === null ? firstTurn : summary.throughTurn + 1,
      llm: agent?.llm ?? null,
      isUsable: isActive && agent?.llm.isActive === true && agent.tenant?.isActive === true,
    });
  }

  override readMessages(
    { sessionId }: Pick<ClaimedSummary, 'sessionId'>,
    { end, fromTurn, beforeTurn, limit }: MessageRange,
  ): Promise<readonly StoredMessage[]> {
    const messages = this.store
      .messagesOf(sessionId)
      .filter(({ role, turnNumber }) => role !== 'system' && turnNumber >= fromTurn)
      .filter(({ turnNumber }) => beforeTurn === null || turnNumber < beforeTurn);
    return Promise.resolve(end === 'oldest' ? messages.slice(0, limit) : messages.slice(-limit));
  }

  override announceCall(claimed: ClaimedSummary, unknown: UsageRecord): Promise<boolean> {
    const isHeld = this.isHeld(claimed);
    if (isHeld) this.usage.set(nameOf(claimed), unknown);
    return Promise.resolve(isHeld);
  }

  override complete(
    claimed: ClaimedSummary,
    { content, tokens, throughTurn, isMore }: NewSummary,
    usage: UsageRecord,
  ): Promise<boolean> {
    this.usage.set(nameOf(claimed), usage);
    const { sessionId, firstTurn, version, model } = claimed;
    if (!this.isHeld(claimed) || this.store.firstShownTurn(sessionId) !== firstTurn)
      return Promise.resolve(false);
    this.store.summaries.set(sessionId, { firstTurn, throughTurn, version, content, tokens, model });
    if (isMore) this.change(sessionId, { token: null, tries: 0 });
    else this.end(sessionId);
    return Promise.resolve(true);
  }

  override putOff(claimed: ClaimedSummary, usage: UsageRecord | null, delayMs: number | null): Promise<void> {
    if (usage !== null) this.usage.set(nameOf(claimed), usage);
    if (!this.isHeld(claimed)) return Promise.resolve();
    if (delayMs === null) this.end(claimed.sessionId);
    else this.change(claimed.sessionId, { token: null, isDue: false });
    return Promise.resolve();
  }

  /** Whoever held it was silent for too long, or what it was put off for is over. */
  makeDue(sessionId: string): void {
    this.change(sessionId, { token: null, isDue: true, isSent: false });
  }

  private isHeld({ sessionId, token }: ClaimedSummary): boolean {
    return this.orderOf(sessionId)?.token === token;
  }

  private end(sessionId: string): void {
    this.orders.delete(sessionId);
    const ordering = this.orderingOf(sessionId);
    if (ordering) this.over.set(sessionId, ordering.accepted.executionId);
  }

  private change(sessionId: string, change: Partial<InMemoryOrder>): void {
    const order = this.orderOf(sessionId);
    if (order !== null) this.orders.set(sessionId, { ...order, ...change });
  }

  /** Null where nothing is ordered. */
  private orderOf(sessionId: string): InMemoryOrder | null {
    const ordering = this.orderingOf(sessionId);
    if (!ordering || this.over.get(sessionId) === ordering.accepted.executionId) return null;
    if (ordering.accepted.turnNumber < this.store.firstShownTurn(sessionId)) return null;
    return this.orders.get(sessionId) ?? { tries: 0, isSent: false, isDue: true, token: null };
  }

  private orderingOf(sessionId: string): ContendedExecution | undefined {
    return this.store
      .ofSession(sessionId)
      .findLast(({ settlements }) => (settlements.at(-1)?.summary ?? null) !== null);
  }
}

function nameOf({ executionId, version, tryNumber }: ClaimedSummary): string {
  return `${executionId}/${version}.${tryNumber}`;
}
