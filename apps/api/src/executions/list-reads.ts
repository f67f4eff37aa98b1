import { BatchExecutor } from '#libs/concurrency';
import type { Timers } from '#libs/kernel';
import type { ExecutionChanges, ExecutionChangesStore } from '#libs/persistence';

/** Time for which reads are collected into one of each tenant, in ms. */
const GATHER_MS = 1_000;
const AT_A_TIME = 1_000;

interface Asked {
  readonly tenantId: string;
  readonly since: number;
}

/** Reads changes for all followers of a tenant in this process together: once a second, and never without followers. */
export class ListReads {
  private readonly reads: BatchExecutor<Asked, ExecutionChanges>;

  constructor(store: Pick<ExecutionChangesStore, 'readSince'>, timers: Timers) {
    this.reads = new BatchExecutor<Asked, ExecutionChanges>({
      runTogether: async (asked) => {
        const earliest = new Map<string, number>();
        for (const { tenantId, since } of asked)
          earliest.set(tenantId, Math.min(since, earliest.get(tenantId) ?? since));
        const read = await Promise.all(
          [...earliest].map(
            async ([tenantId, since]) => [tenantId, await store.readSince(tenantId, since)] as const,
          ),
        );
        const byTenant = new Map(read);
        return asked.map(({ tenantId }) => {
          const value = byTenant.get(tenantId);
          if (value === undefined) throw new Error('each asked tenant was read');
          return { kind: 'done', value };
        });
      },
      runAlone: ({ tenantId, since }) => store.readSince(tenantId, since),
      mayRunAlone: () => false,
      lanes: 1,
      mostItems: AT_A_TIME,
      defer: (begin) => void timers.after(GATHER_MS, begin),
    });
  }

  read(tenantId: string, since: number): Promise<ExecutionChanges> {
    return this.reads.call({ tenantId, since });
  }
}
