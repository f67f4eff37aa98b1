import { ExecutionAcceptanceStore, ExecutionAssignmentStore } from '#libs/persistence';
import type { Acceptance, Assignment, DispatchOptions, Offers, Submission } from '#libs/executions';
import { v4 as randomToken } from 'uuid';
import { aSubmission } from '../../support/builders/submission.js';
import { DISPATCH_OPTIONS, PersistenceWorld } from './persistence-world.js';

export const WORKER = { workerId: 'w1', leaseMs: 60_000 };

export class OfferedSlots {
  /** By execution. */
  readonly taken = new Map<string, Offers['items'][number]>();
  readonly unused: string[] = [];

  constructor(
    private readonly workers: readonly string[],
    private readonly free = workers.length,
  ) {}

  offer(most: number): Offers {
    const items = this.workers.slice(0, most).map((workerId) => ({ workerId, token: randomToken() }));
    return { items, free: this.free };
  }

  settle({ items }: Offers, taken: ReadonlyMap<string, string> | null): void {
    for (const { workerId, token } of items) {
      const executionId = taken?.get(token);
      if (executionId === undefined) this.unused.push(workerId);
      else this.taken.set(executionId, { workerId, token });
    }
  }
}

export function accepted(acceptance: Acceptance): Extract<Acceptance, { kind: 'accepted' }> {
  if (acceptance.kind !== 'accepted') throw new Error(`expected an execution, got ${acceptance.kind}`);
  return acceptance;
}

/** Executions that are claimed as they are accepted, with two workers. */
export class AssigningWorld {
  readonly assignments: ExecutionAssignmentStore;

  private constructor(readonly persistence: PersistenceWorld) {
    this.assignments = new ExecutionAssignmentStore(persistence.dataSource);
  }

  static async open(): Promise<AssigningWorld> {
    return new AssigningWorld(await PersistenceWorld.open());
  }

  query(sql: string, parameters: readonly unknown[] = []): Promise<unknown[]> {
    return this.persistence.dataSource.query(sql, [...parameters]);
  }

  async clear(): Promise<void> {
    await this.persistence.clear();
    await this.query('DELETE FROM worker');
    await this.query(`INSERT INTO worker (id, places) VALUES ('w1', 20), ('w2', 20)`);
  }

  acceptancesOf(slots: OfferedSlots, options: Partial<DispatchOptions> = {}): ExecutionAcceptanceStore {
    return new ExecutionAcceptanceStore(
      this.persistence.dataSource,
      { ...DISPATCH_OPTIONS, ...options },
      { source: slots, deadlineMs: 300_000 },
    );
  }

  async assign(overrides: Partial<Submission> = {}): Promise<Assignment> {
    const slots = new OfferedSlots(['w1']);
    const { view } = accepted(await this.acceptancesOf(slots).accept(aSubmission(overrides)));
    const token = slots.taken.get(view.id)?.token;
    if (token === undefined) throw new Error('the execution has taken no offer');
    return { executionId: view.id, token };
  }

  async rowOf(executionId: string): Promise<object> {
    const [row] = await this.query(
      `SELECT status, attempt, epoch, lease_owner, dispatched_at, started_at, deadline_at, lost_epoch, lost_attempts, attempts,
              extract(epoch FROM lease_expires_at - created_at)::int AS lease_seconds,
              (extract(epoch FROM deadline_at - created_at) * 1000)::int AS limit_ms
         FROM execution WHERE id = $1`,
      [executionId],
    );
    if (!row) throw new Error('the execution is not stored');
    return row;
  }

  /** Resolves once `count` sessions wait for a lock. */
  async untilSomeWait(count: number): Promise<void> {
    for (;;) {
      const [row] = (await this.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )) as { waiting: number }[];
      if ((row?.waiting ?? 0) >= count) return;
    }
  }

  close(): Promise<void> {
    return this.persistence.close();
  }
}
