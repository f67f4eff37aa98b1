import { ContendedExecution } from './contended-execution.js';
import type { AcceptedExecution } from '#libs/kit-testing';

export interface InMemorySession {
  readonly tenantId: string;
  readonly agentId: number;
  nextTurn: number;
  isActive: boolean;
}

export interface RememberedKey {
  readonly requestSha256: string;
  readonly executionId: string;
}

/** The executions of a database, shared by adapters in memory. Each of their methods is one transaction. */
export class InMemoryExecutions {
  readonly sessions = new Map<string, InMemorySession>();
  /** Idempotency keys by tenant and key. */
  readonly keys = new Map<string, RememberedKey>();
  private readonly byId = new Map<string, ContendedExecution>();

  /** A store that holds this execution only. */
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

  /** Loses all that was committed with the acceptance, like a database that crashes before a flush. */
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

  /** All executions, the oldest first. */
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

  /** True for the first unsettled execution of its session, the only one that can run. */
  isHead(execution: ContendedExecution): boolean {
    return this.unsettledOf(execution.accepted.sessionId)[0] === execution;
  }
}
