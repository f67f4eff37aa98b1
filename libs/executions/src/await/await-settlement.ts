import type { IdGenerator, MonotonicClock } from '#libs/kernel';
import { withoutResultDetails, type ExecutionStatus, type ExecutionView } from '#libs/payloads';
import type { StatusReads } from '../events/status-reads.js';
import type { EventStream, SettlementWatch } from '../ports/event-stream.js';
import type { ExecutionReader } from '../ports/execution-reader.js';

const ASK_EVERY_MS = 1_000;

export interface AwaitSettlementDependencies {
  readonly executions: Pick<ExecutionReader, 'find'>;
  readonly statuses: Pick<StatusReads, 'statusOf'>;
  readonly stream: Pick<EventStream, 'watchSettlement'>;
  readonly ids: IdGenerator;
  readonly clock: MonotonicClock;
}

/** Waits until executions settle or need a person, for `Prefer: wait`. */
export class AwaitSettlement {
  constructor(private readonly deps: AwaitSettlementDependencies) {}

  /**
   * Reserves the id of an execution and subscribes before it is accepted, so that no event is missed and no read is
   * needed. The caller must close the result.
   */
  begin(): AwaitedSettlement {
    const executionId = this.deps.ids.next();
    return this.watch(executionId);
  }

  /** Subscribes to an execution before it is read, so that no later event is missed. The caller must close the result. */
  watch(executionId: string): AwaitedSettlement {
    return new AwaitedSettlement(this.deps, executionId, this.deps.stream.watchSettlement(executionId));
  }
}

/** Wait for one execution. */
export class AwaitedSettlement {
  /** True if the last read may be older than the watch. */
  private mustLook = false;
  private isAsking = false;

  constructor(
    private readonly deps: AwaitSettlementDependencies,
    /** Id of the execution that is about to be accepted, or read. */
    readonly executionId: string,
    private watch: SettlementWatch,
  ) {}

  /**
   * Resolves once the execution has settled or waits for a person, which outlasts any request; otherwise with its latest
   * known state after `waitMs` or on abort. The wake-up of the last event carries the result; a batched status query
   * every second covers a lost stream. Never throws for an outage: an accepted execution stays accepted.
   * @param accepted with the watched id, or accepted earlier under another id
   */
  async settled(
    tenantId: string,
    accepted: ExecutionView,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ExecutionView> {
    if (!isUnderWay(accepted.status)) return accepted;
    if (accepted.id !== this.executionId) this.watchAnother(accepted.id);
    const { clock } = this.deps;
    const deadline = clock.monotonic() + waitMs;
    let seen = accepted;
    for (;;) {
      const leftMs = deadline - clock.monotonic();
      // A decision may have been made since, and a result may be too long for a wake-up: only the row is complete.
      if (this.mustLook || leftMs <= 0) seen = (await this.readRow(tenantId, accepted.id)) ?? seen;
      if (!isUnderWay(seen.status) || leftMs <= 0 || signal.aborted) return seen;
      const news = await this.watch.wait(Math.min(ASK_EVERY_MS, leftMs), signal);
      if (news.kind === 'settled') return withoutResultDetails(news.result);
      this.mustLook = news.kind === 'look';
      if (news.kind === 'silence') this.askStatus(accepted.id);
    }
  }

  close(): void {
    this.watch.close();
  }

  /** The execution may have settled before this watch was created, so the row must be read. */
  private watchAnother(executionId: string): void {
    this.watch.close();
    this.watch = this.deps.stream.watchSettlement(executionId);
    this.mustLook = true;
  }

  /** Not awaited, so that it does not delay events of the stream. */
  private askStatus(executionId: string): void {
    if (this.isAsking) return;
    this.isAsking = true;
    void this.deps.statuses
      .statusOf(executionId)
      .then((status) => {
        if (status !== null && !isUnderWay(status)) this.watch.wake();
      })
      // Ignores an outage; the next silence repeats the query.
      .catch(() => undefined)
      .finally(() => (this.isAsking = false));
  }

  private async readRow(tenantId: string, executionId: string): Promise<ExecutionView | null> {
    return this.deps.executions.find(tenantId, executionId).catch(() => null);
  }
}

function isUnderWay(status: ExecutionStatus): boolean {
  return status === 'queued' || status === 'running';
}
