import { Inject, Injectable } from '@nestjs/common';
import { EventStream, type AppendWatch } from '#libs/agent-core';
import { systemClock } from '#libs/kernel';
import { isSettled, type ExecutionView } from '#libs/payloads';
import { ExecutionStore } from '#libs/persistence';

const READ_ROW_EVERY_MS = 1_000;
const EVENTS_AT_A_TIME = 200;

/** Waits for an execution to settle, for `Prefer: wait`. */
@Injectable()
export class AwaitSettlement {
  constructor(
    @Inject(ExecutionStore) private readonly executions: Pick<ExecutionStore, 'find'>,
    private readonly stream: EventStream,
  ) {}

  /**
   * The execution as soon as it has settled, or as it was last seen after `waitMs` or when `signal` aborts. The stream
   * says it at once; the row, read each second, says it where the stream has lost it. Never throws for an outage: what
   * was accepted stays accepted.
   */
  async execute(
    tenantId: string,
    accepted: ExecutionView,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ExecutionView> {
    if (isSettled(accepted.status)) return accepted;
    const watch = this.stream.watch(accepted.id);
    try {
      return await this.#wait(tenantId, accepted, watch, waitMs, signal);
    } finally {
      watch.close();
    }
  }

  async #wait(
    tenantId: string,
    accepted: ExecutionView,
    watch: AppendWatch,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<ExecutionView> {
    const events = this.#resultReader(accepted.id);
    const deadline = systemClock.monotonic() + waitMs;
    let readRowAt = systemClock.monotonic() + READ_ROW_EVERY_MS;
    let seen = accepted;
    for (;;) {
      const result = await events();
      if (result !== null) return result;
      const now = systemClock.monotonic();
      if (now >= readRowAt || now >= deadline) {
        seen = (await this.#readRow(tenantId, accepted.id)) ?? seen;
        readRowAt = now + READ_ROW_EVERY_MS;
      }
      if (isSettled(seen.status) || now >= deadline || signal.aborted) return seen;
      await watch.wait(Math.max(0, Math.min(readRowAt, deadline) - now), signal);
    }
  }

  /** Answers the data of the `result` event once it is in the stream, else null. */
  #resultReader(executionId: string): () => Promise<ExecutionView | null> {
    let lastId = 0;
    return async () => {
      for (;;) {
        const events = await this.stream.readAfter(executionId, lastId, EVENTS_AT_A_TIME).catch(() => []);
        for (const event of events) if (event.event === 'result') return event.data;
        lastId = events.at(-1)?.id ?? lastId;
        if (events.length < EVENTS_AT_A_TIME) return null;
      }
    };
  }

  async #readRow(tenantId: string, executionId: string): Promise<ExecutionView | null> {
    return this.executions.find(tenantId, executionId).catch(() => null);
  }
}
