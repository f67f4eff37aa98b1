import type { MonotonicClock } from '#libs/kernel';
import { withoutResultDetails, type ExecutionStatus, type ExecutionView } from '#libs/payloads';
import type { AppendWatch, EventStream } from '../ports/event-stream.js';
import type { ExecutionReader } from '../ports/execution-reader.js';

const READ_ROW_EVERY_MS = 1_000;
const EVENTS_AT_A_TIME = 200;

/** What the stream says of an execution: its result, or that it may wait for a person. */
interface News {
  readonly result: ExecutionView | null;
  readonly mayWaitForPerson: boolean;
}

/** Waits for an execution to settle, or to need a person, for `Prefer: wait`. */
export class AwaitSettlement {
  constructor(
    private readonly executions: Pick<ExecutionReader, 'find'>,
    private readonly stream: Pick<EventStream, 'readAfter' | 'watch'>,
    private readonly clock: MonotonicClock,
  ) {}

  /**
   * The execution as soon as it has settled or waits for a person, who will need longer than any request; or as it was
   * last seen after `waitMs` or when `signal` aborts. The stream says it at once; the row, read each second, says it
   * where the stream has lost it. Never throws for an outage: what was accepted stays accepted.
   */
  async execute(
    tenantId: string,
    accepted: ExecutionView,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ExecutionView> {
    if (!isUnderWay(accepted.status)) return accepted;
    const watch = this.stream.watch(accepted.id);
    try {
      return await this.wait(tenantId, accepted, watch, waitMs, signal);
    } finally {
      watch.close();
    }
  }

  private async wait(
    tenantId: string,
    accepted: ExecutionView,
    watch: AppendWatch,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ExecutionView> {
    const readNews = this.newsReader(accepted.id);
    const deadline = this.clock.monotonic() + waitMs;
    let readRowAt = this.clock.monotonic() + READ_ROW_EVERY_MS;
    let seen = accepted;
    for (;;) {
      const { result, mayWaitForPerson } = await readNews();
      if (result !== null) return result;
      const now = this.clock.monotonic();
      // The decision may have been made since: only the row knows.
      if (mayWaitForPerson || now >= readRowAt || now >= deadline) {
        seen = (await this.readRow(tenantId, accepted.id)) ?? seen;
        readRowAt = now + READ_ROW_EVERY_MS;
      }
      if (!isUnderWay(seen.status) || now >= deadline || signal.aborted) return seen;
      await watch.wait(Math.max(0, Math.min(readRowAt, deadline) - now), signal);
    }
  }

  /** Answers what has come into the stream since it was asked last. */
  private newsReader(executionId: string): () => Promise<News> {
    let lastId = 0;
    return async () => {
      let mayWaitForPerson = false;
      for (;;) {
        const events = await this.stream.readAfter(executionId, lastId, EVENTS_AT_A_TIME).catch(() => []);
        for (const { event, data } of events) {
          if (event === 'result') return { result: withoutResultDetails(data), mayWaitForPerson };
          if (event === 'status') mayWaitForPerson = data.status === 'requires_action';
        }
        lastId = events.at(-1)?.id ?? lastId;
        if (events.length < EVENTS_AT_A_TIME) return { result: null, mayWaitForPerson };
      }
    };
  }

  private async readRow(tenantId: string, executionId: string): Promise<ExecutionView | null> {
    return this.executions.find(tenantId, executionId).catch(() => null);
  }
}

function isUnderWay(status: ExecutionStatus): boolean {
  return status === 'queued' || status === 'running';
}
