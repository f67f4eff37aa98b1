import { Injectable } from '@nestjs/common';
import type { ExecutionView } from '#libs/payloads';
import { CancellationStore, ExecutionStore } from '#libs/persistence';
import { ExecutionDispatcher } from '../executions/execution-dispatcher.js';
import { executionNotFound } from '../executions/execution.faults.js';

/** Asks for an execution to be cancelled. One that has ended stays as it ended. Throws `NOT_FOUND`. */
@Injectable()
export class CancelExecution {
  constructor(
    private readonly cancellations: CancellationStore,
    private readonly executions: ExecutionStore,
    private readonly dispatcher: ExecutionDispatcher,
  ) {}

  async execute(tenantId: string, executionId: string): Promise<ExecutionView> {
    const result = await this.cancellations.request(tenantId, executionId);
    if (result.kind === 'not_found') throw executionNotFound();
    // The next of its conversation may run now, or a worker has to end this one.
    this.dispatcher.trigger();
    const view = await this.executions.find(tenantId, executionId);
    if (view === null) throw executionNotFound();
    return view;
  }
}
