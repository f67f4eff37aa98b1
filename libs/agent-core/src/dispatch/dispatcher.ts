export interface DueExecution {
  readonly executionId: string;
  readonly attempt: number;
}

/** What can run now. Taking marks it as sent; a job that then cannot be sent is given back. */
export interface RunnableExecutions {
  take(): Promise<readonly DueExecution[]>;
  untake(executionIds: readonly string[]): Promise<void>;
}

/** Sends hints that an execution can be claimed. */
export interface ExecuteJobs {
  send(due: readonly DueExecution[]): Promise<void>;
}

/**
 * Sends jobs for what can run. Any number of dispatchers may do so in any process: a lost job is sent again, a doubled
 * one loses the claim. It is poked whenever something may have become runnable and repeated by the housekeeping role.
 */
export class Dispatcher {
  private isRunning = false;
  private isPokedAgain = false;

  constructor(
    private readonly executions: RunnableExecutions,
    private readonly jobs: ExecuteJobs,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Returns at once; many pokes while one dispatch runs become one more dispatch. Failures go to `onError`. */
  poke(): void {
    if (this.isRunning) {
      this.isPokedAgain = true;
      return;
    }
    this.isRunning = true;
    void this.dispatchUntilCalm();
  }

  /** One selection and its jobs. Answers how many were sent. */
  async dispatch(): Promise<number> {
    const due = await this.executions.take();
    if (due.length === 0) return 0;
    try {
      await this.jobs.send(due);
    } catch (error) {
      await this.executions.untake(due.map((execution) => execution.executionId));
      throw error;
    }
    return due.length;
  }

  private async dispatchUntilCalm(): Promise<void> {
    try {
      do {
        this.isPokedAgain = false;
        await this.dispatch();
      } while (this.isPokedAgain);
    } catch (error) {
      this.onError(error);
    } finally {
      this.isRunning = false;
    }
  }
}
