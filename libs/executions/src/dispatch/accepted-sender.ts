import { Combiner, type BatchAnswer } from '#libs/concurrency';
import { executeJob } from '#libs/payloads';
import type { DispatchedExecution, DispatchStore } from '../ports/dispatch-store.js';
import type { ExecutionDispatch } from './execution-dispatcher.js';
import { groupForJobs } from './group-for-jobs.js';

export interface AcceptedSending extends Pick<ExecutionDispatch, 'newJobId' | 'send' | 'onError'> {
  readonly store: Pick<DispatchStore, 'requeue'>;
  /** Lets what comes in at the same time go out together: `setImmediate`. */
  readonly defer: (begin: () => void) => void;
}

/** Sends the jobs of executions that were accepted as sent, many at once. What could not be sent is due again. */
export class AcceptedSender {
  private readonly sends: Combiner<DispatchedExecution, undefined>;

  constructor(private readonly to: AcceptedSending) {
    this.sends = new Combiner<DispatchedExecution, undefined>({
      runTogether: (accepted) => this.sendTogether(accepted),
      runAlone: (accepted) => this.sendTogether([accepted]).then(() => undefined),
      mayRunAlone: () => false,
      // What is accepted while jobs are on their way shares the next: fewer of them, and nobody waits for long.
      lanes: 1,
      defer: to.defer,
    });
  }

  /** Returns at once; failures go to `onError`. */
  send(executionId: string): void {
    void this.sends.call({ executionId });
  }

  /** Resolves when every job has been sent, or could not be. */
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
