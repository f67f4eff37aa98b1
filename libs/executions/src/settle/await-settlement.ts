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

/** Waits for executions to settle, or to need a person, for `Prefer: wait`. */
export class AwaitSettlement {
  constructor(private readonly deps: AwaitSettlementDependencies) {}

  /**
   * Begins to listen for an execution that is not accepted yet, and names it: what is said of it from its first moment on
   * is heard, so that nothing has to be read. To be closed.
   */
  begin(): AwaitedSettlement {
    const executionId = this.deps.ids.next();
    return new AwaitedSettlement(this.deps, executionId, this.deps.stream.watchSettlement(executionId));
  }
}

/** One execution that is waited for. */
export class AwaitedSettlement {
  /** Whether what was seen may be older than the watch. */
  private mustLook = false;
  private isAsking = false;

  constructor(
    private readonly deps: AwaitSettlementDependencies,
    /** For the execution that is accepted now. */
    readonly executionId: string,
    private watch: SettlementWatch,
  ) {}

  /**
   * The execution as soon as it has settled or waits for a person, who will need longer than any request; or as it was
   * last seen after `waitMs` or when `signal` aborts. The wake-up of its last event has the result; a status that is asked
   * for each second, together with those of others, says it where the stream has lost it. Never throws for an outage: what
   * was accepted stays accepted.
   *
   * @param accepted of this wait's id, or another one that was accepted before
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
      // The decision may have been made since, and a result may be too long for a wake-up: only the row knows.
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

  /** It may have settled before this watch was made. */
  private watchAnother(executionId: string): void {
    this.watch.close();
    this.watch = this.deps.stream.watchSettlement(executionId);
    this.mustLook = true;
  }

  /** Nobody waits for the answer: what the stream says meanwhile is not held up. */
  private askStatus(executionId: string): void {
    if (this.isAsking) return;
    this.isAsking = true;
    void this.deps.statuses
      .statusOf(executionId)
      .then((status) => {
        if (status !== null && !isUnderWay(status)) this.watch.wake();
      })
      // An outage; asked again after the next silence.
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
