import type { JobPayload, QueueName } from '#libs/payloads';

/** A row that waits for a job: the payload of its job without the version. */
export type DueRow<Name extends QueueName = QueueName> = Omit<JobPayload<Name>, 'v'>;

/** Rows in the database that wait for jobs of a queue. */
export interface DueRows<Name extends QueueName = QueueName> {
  /** Marks due rows as sent and returns them; announced rows may be due early. */
  take(announced: readonly string[], redispatchAfterMs: number): Promise<readonly DueRow<Name>[]>;
  /** Makes rows due again after their jobs could not be sent. */
  requeue(due: readonly DueRow<Name>[]): Promise<void>;
  /** True if a row has been due for at least `forMs` milliseconds and no worker has claimed it. */
  isOverdue(forMs: number): Promise<boolean>;
}
