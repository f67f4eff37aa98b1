import { Injectable } from '@nestjs/common';
import { EventStream } from '#libs/executions';
import { isSettled, type ExecutionView } from '#libs/payloads';
import { ExecutionStore } from '#libs/persistence';
import { executionEvents, hasSeenResult } from './execution-events.js';
import { executionNotFound } from './execution.faults.js';
import type { OutgoingEvent } from './server-sent-event.js';

const POLL_MS = 1_000;
const SOON_MS = 20;
/** What a worker needs at most between settling an execution and telling it. */
const TOLD_WITHIN_MS = 5_000;

export type Following =
  | { readonly kind: 'events'; readonly events: AsyncGenerator<OutgoingEvent, void, undefined> }
  /** The client knows the last one. */
  | { readonly kind: 'seen_all' };

/** Follows the events of one execution. */
@Injectable()
export class FollowExecution {
  constructor(
    private readonly executions: ExecutionStore,
    private readonly stream: EventStream,
  ) {}

  /** Throws `NOT_FOUND`. */
  async execute(
    tenantId: string,
    executionId: string,
    afterId: number,
    signal: AbortSignal,
  ): Promise<Following> {
    const view = await this.executions.find(tenantId, executionId);
    if (view === null) throw executionNotFound();
    if (isSettled(view.status) && (await hasSeenResult(this.stream, view, afterId)))
      return { kind: 'seen_all' };
    const sources = {
      stream: this.stream,
      read: () => this.executions.find(tenantId, view.id),
      pollMs: await this.pollAfter(tenantId, view),
    };
    return { kind: 'events', events: executionEvents(sources, view.id, afterId, signal) };
  }

  /** How soon to look again, in milliseconds: a stream that lacks its result long after the end will not get it. */
  private async pollAfter(tenantId: string, { id, status }: ExecutionView): Promise<number> {
    if (!isSettled(status)) return POLL_MS;
    return (await this.executions.hasSettledBefore(tenantId, id, TOLD_WITHIN_MS)) ? SOON_MS : POLL_MS;
  }
}
