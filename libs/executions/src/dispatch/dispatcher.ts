/** What is due and not yet sent. Taking marks it as sent; a job that then cannot be sent is requeued. */
export interface DueSource<Due> {
  take(): Promise<readonly Due[]>;
  requeue(due: readonly Due[]): Promise<void>;
}

/**
 * Sends jobs for what is due. Any number of dispatchers may do so in any process: a lost job is sent again, a doubled
 * one loses the claim. It is triggered whenever something may have become due and repeated by the housekeeping role.
 */
export class Dispatcher<Due> {
  private isRunning = false;
  private isTriggered = false;

  constructor(
    private readonly source: DueSource<Due>,
    private readonly send: (due: readonly Due[]) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Returns at once; many triggers while one dispatch runs become one more dispatch. Failures go to `onError`. */
  trigger(): void {
    this.isTriggered = true;
    if (!this.isRunning) void this.dispatchUntilCalm();
  }

  /** One selection and its jobs. Answers how many were sent. */
  async dispatch(): Promise<number> {
    const due = await this.source.take();
    if (due.length === 0) return 0;
    try {
      await this.send(due);
    } catch (error) {
      await this.source.requeue(due);
      throw error;
    }
    return due.length;
  }

  private async dispatchUntilCalm(): Promise<void> {
    this.isRunning = true;
    try {
      while (this.isTriggered) {
        this.isTriggered = false;
        await this.dispatch();
      }
    } catch (error) {
      this.onError(error);
    } finally {
      this.isRunning = false;
    }
  }
}
