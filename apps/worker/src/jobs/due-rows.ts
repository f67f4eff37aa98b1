import type { JobPayload, QueueName } from '#libs/payloads';

/** A row that waits for a job: the payload of its job without the version. */
export type DueRow<Name extends QueueName = QueueName> = Omit<JobPayload<Name>, 'v'>;

/** The rows that wait in the database for jobs of a queue. */
export interface DueRows<Name extends QueueName = QueueName> {
  /** Marks rows that are due as sent, and answers them; an announced row may be due before its time. */
  take(announced: readonly string[], redispatchAfterMs: number): Promise<readonly DueRow<Name>[]>;
  /** Makes rows due again after their jobs could not be sent. */
  requeue(due: readonly DueRow<Name>[]): Promise<void>;
  /** True where a row has been due for at least so many milliseconds, and no worker has taken it. */
  isOverdue(forMs: number): Promise<boolean>;
}
