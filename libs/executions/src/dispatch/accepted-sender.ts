import { BatchExecutor, type BatchAnswer } from '#libs/concurrency';
import { executeJob } from '#libs/payloads';
import type { DispatchedExecution, DispatchStore } from '../ports/dispatch-store.js';
import { type ExecutionDispatch, groupForJobs } from './execution-dispatcher.js';

export interface AcceptedSending extends Pick<ExecutionDispatch, 'newJobId' | 'send' | 'onError'> {
  readonly store: Pick<DispatchStore, 'requeue'>;
  /** Defers a batch so that simultaneous submissions share it; `setImmediate`. */
  readonly defer: (begin: () => void) => void;
}

/** Sends jobs for accepted executions in batches. After a failed send its executions are requeued. */
export class AcceptedSender {
  private readonly sends: BatchExecutor<DispatchedExecution, undefined>;

  constructor(private readonly to: AcceptedSending) {
    this.sends = new BatchExecutor<DispatchedExecution, undefined>({
      runTogether: (accepted) => this.sendTogether(accepted),
      runAlone: (accepted) => this.sendTogether([accepted]).then(() => undefined),
      mayRunAlone: () => false,
      // One send at a time: executions accepted in between share the next batch, which saves jobs at little delay.
      lanes: 1,
      defer: to.defer,
    });
  }

  /** Returns at once; failures go to `onError`. */
  send(executionId: string): void {
    void this.sends.call({ executionId });
  }

  /** Resolves once every job was sent or has failed. */
  idle(): Promise<void> {
    return this.sends.idle();
  }

  private async sendTogether(accepted: readonly DispatchedExecution[]): Promise<BatchAnswer<undefined>[]> {
    const { store, newJobId, send, onError } = this.to;
    const jobs = groupForJobs(accepted).map((group) => executeJob(group, newJobId()));
    await send(jobs)
      .catch(async (error: unknown) => {
        onError(error);
        await store.requeue(accepted);
      })
      .catch(onError);
    return accepted.map(() => ({ kind: 'done', value: undefined }));
  }
}
