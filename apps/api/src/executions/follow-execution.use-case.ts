import { Injectable } from '@nestjs/common';
import { EventStream } from '#libs/agent-core';
import { isSettled } from '#libs/payloads';
import { ExecutionStore } from '#libs/persistence';
import { executionEvents, locateResult } from './execution-events.js';
import { executionNotFound } from './execution.faults.js';
import type { OutgoingEvent } from './server-sent-event.js';

/** Follows the events of one execution. */
@Injectable()
export class FollowExecution {
  constructor(
    private readonly executions: ExecutionStore,
    private readonly stream: EventStream,
  ) {}

  /** The events after `afterId`, or null when the client has seen the last one. Throws `NOT_FOUND`. */
  async execute(
    tenantId: string,
    executionId: string,
    afterId: number,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<OutgoingEvent, void, undefined> | null> {
    const view = await this.executions.find(tenantId, executionId);
    if (view === null) throw executionNotFound();
    const hasSeenAll =
      afterId > 0 && isSettled(view.status) && afterId >= (await locateResult(this.stream, view.id));
    if (hasSeenAll) return null;
    const read = () => this.executions.find(tenantId, view.id);
    return executionEvents({ stream: this.stream, read }, view.id, afterId, signal);
  }
}
