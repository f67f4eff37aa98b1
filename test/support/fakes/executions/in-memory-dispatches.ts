import { DispatchStore, type DispatchOptions, type DispatchedExecution } from '#libs/executions';
import type { ContendedExecution } from './contended-execution.js';
import type { InMemoryExecutions } from './in-memory-executions.js';

/**
 * Dispatch in memory, without time: a sent execution counts as lost only if `redispatchAfterMs` is 0. As the number of slots
 * is unknown, `tenantSlotShare` limits no tenant.
 */
export class InMemoryDispatches extends DispatchStore {
  constructor(private readonly store: InMemoryExecutions) {
    super();
  }

  override take(options: DispatchOptions): Promise<readonly DispatchedExecution[]> {
    const chosen = this.choose(options);
    for (const execution of chosen) execution.isSent = true;
    return Promise.resolve(chosen.map(({ accepted }) => ({ executionId: accepted.executionId })));
  }

  override requeue(due: readonly DispatchedExecution[]): Promise<void> {
    for (const { executionId } of due) {
      const execution = this.store.find(executionId);
      if (execution?.status === 'queued') execution.isSent = false;
    }
    return Promise.resolve();
  }

  /** True if a newly accepted execution may count as sent at once: no other one waits, and there is room for it. */
  isRoomFor(execution: ContendedExecution, options: DispatchOptions): boolean {
    const unsettled = this.store.all().filter((other) => other !== execution && other.status !== 'settled');
    const waitsUnsent = unsettled.some(
      (other) => this.store.isHead(other) && other.isClaimable && !other.isSent,
    );
    const sent = unsettled.filter(({ isSent }) => isSent).length;
    return (
      this.store.isHead(execution) &&
      !waitsUnsent &&
      sent < options.queueTarget &&
      this.quotaOf(execution.accepted.tenantId, options) > 0
    );
  }

  /** Chooses lost executions first, then the tenants' executions in turn, up to the room in the queue. */
  private choose(options: DispatchOptions): ContendedExecution[] {
    const isWaiting = ({ isSent }: ContendedExecution): boolean => isSent && options.redispatchAfterMs > 0;
    const heads = this.store.all().filter((execution) => this.store.isHead(execution));
    const room = options.queueTarget - heads.filter(isWaiting).length;
    const due = heads.filter((execution) => execution.isClaimable && !isWaiting(execution));
    const isFresh = ({ isSent, status }: ContendedExecution): boolean => !isSent && status === 'queued';
    const lost = due.filter((execution) => !isFresh(execution));
    const byTenant = Object.groupBy(due.filter(isFresh), ({ accepted }) => accepted.tenantId);
    const fresh = Object.entries(byTenant).flatMap(([tenantId, ofTenant = []]) =>
      ofTenant.slice(0, this.quotaOf(tenantId, options)).map((execution, place) => ({ execution, place })),
    );
    fresh.sort((one, other) => one.place - other.place);
    return [...lost, ...fresh.map(({ execution }) => execution)].slice(0, Math.max(0, room));
  }

  private quotaOf(tenantId: string, options: DispatchOptions): number {
    const ofTenant = this.store.all().filter(({ accepted }) => accepted.tenantId === tenantId);
    const sent = ofTenant.filter(({ isSent, status }) => isSent && status === 'queued').length;
    const running = ofTenant.filter(({ status }) => status === 'running').length;
    const jobs = Math.max(1, Math.floor(options.queueTarget * options.tenantQueueShare));
    return Math.max(0, Math.min(jobs - sent, options.tenantInFlightCap - sent - running));
  }
}
