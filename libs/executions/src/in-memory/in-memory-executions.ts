import type { StoredAgent, StoredMessage, StoredSummary } from '../ports/stored-context.js';
import { ContendedExecution } from './contended-execution.js';
import type { AcceptedExecution } from './in-memory-execution.js';

export interface InMemorySession {
  readonly tenantId: string;
  readonly agentId: number;
  nextTurn: number;
  isActive: boolean;
  /** The first turn whose messages a model is still shown. */
  firstShownTurn: number;
}

/** One version of an agent; the newest says whether the agent may be used. */
export interface InMemoryAgent extends StoredAgent {
  readonly id: number;
  readonly tenantId: string;
}

/** What stands for the turns of a session from one on, with how many tokens of which model. */
export interface InMemorySummary extends StoredSummary {
  readonly firstTurn: number;
  readonly tokens: number;
  readonly model: string;
}

export interface RememberedKey {
  readonly requestSha256: string;
  readonly executionId: string;
}

/** What a database holds of executions, for adapters in memory that share it. Every method of theirs is one transaction. */
export class InMemoryExecutions {
  readonly sessions = new Map<string, InMemorySession>();
  /** Idempotency keys, by tenant and key. */
  readonly keys = new Map<string, RememberedKey>();
  readonly agents: InMemoryAgent[] = [];
  readonly summaries = new Map<string, InMemorySummary>();
  private readonly byId = new Map<string, ContendedExecution>();

  /** With nothing in it but one execution. */
  static of(execution: ContendedExecution): InMemoryExecutions {
    const store = new InMemoryExecutions();
    store.byId.set(execution.accepted.executionId, execution);
    return store;
  }

  accept(accepted: AcceptedExecution): ContendedExecution {
    const execution = new ContendedExecution(accepted);
    this.byId.set(accepted.executionId, execution);
    return execution;
  }

  /** What was written together with its acceptance is lost, as when a database dies before its disk has it. */
  lose(executionId: string): void {
    const lost = this.byId.get(executionId);
    this.byId.delete(executionId);
    if (lost?.accepted.turnNumber === 1) this.sessions.delete(lost.accepted.sessionId);
    for (const [key, remembered] of this.keys)
      if (remembered.executionId === executionId) this.keys.delete(key);
  }

  find(executionId: string): ContendedExecution | undefined {
    return this.byId.get(executionId);
  }

  findOf(tenantId: string, executionId: string): ContendedExecution | undefined {
    const execution = this.byId.get(executionId);
    return execution?.accepted.tenantId === tenantId ? execution : undefined;
  }

  /** Oldest first. */
  all(): readonly ContendedExecution[] {
    return [...this.byId.values()];
  }

  ofSession(sessionId: string): readonly ContendedExecution[] {
    return this.all()
      .filter(({ accepted }) => accepted.sessionId === sessionId)
      .sort((one, other) => one.accepted.turnNumber - other.accepted.turnNumber);
  }

  unsettledOf(sessionId: string): readonly ContendedExecution[] {
    return this.ofSession(sessionId).filter(({ status }) => status !== 'settled');
  }

  /** The first of its session that has not ended: the only one that can run. */
  isHead(execution: ContendedExecution): boolean {
    return this.unsettledOf(execution.accepted.sessionId)[0] === execution;
  }

  /** The next execution of it begins afresh: its model is shown nothing of the turns that have begun by now. */
  resetSession(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    const begun = this.ofSession(sessionId).findLast(({ epoch }) => epoch > 0);
    if (session && begun) session.firstShownTurn = begun.accepted.turnNumber + 1;
  }

  /** Null where none stands for anything any more. */
  findSummary(sessionId: string): InMemorySummary | null {
    const summary = this.summaries.get(sessionId);
    return summary?.firstTurn === this.firstShownTurn(sessionId) ? summary : null;
  }

  firstShownTurn(sessionId: string): number {
    return this.sessions.get(sessionId)?.firstShownTurn ?? 1;
  }

  /** Those that were settled, oldest first. */
  messagesOf(sessionId: string): StoredMessage[] {
    return this.ofSession(sessionId).flatMap(({ accepted: { turnNumber }, settlements }) =>
      settlements
        .flatMap(({ messages }) => messages)
        .map(({ role, content, data, tokens }) => ({ role, content, data, turnNumber, tokens })),
    );
  }

  /** True where a turn since the last reset has left foreign content. */
  hasForeign(sessionId: string): boolean {
    const first = this.firstShownTurn(sessionId);
    return this.ofSession(sessionId).some(
      ({ accepted: { turnNumber }, settlements }) =>
        turnNumber >= first && settlements.some(({ hasForeign }) => hasForeign),
    );
  }

  /** Null: the newest. */
  findAgent(agentId: number, version: number | null): InMemoryAgent | undefined {
    return this.agents.findLast(
      ({ id, agentVersion }) => id === agentId && (version === null || agentVersion === version),
    );
  }
}
