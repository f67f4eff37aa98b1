import { randomUUID } from 'node:crypto';
import type { AppConfig } from '#libs/config';
import { Dispatcher } from '#libs/executions';
import { warnRarely, type Logger } from '#libs/observability';
import type { JobPayload, QueueName } from '#libs/payloads';
import type { JobProducer, NewJob } from '#libs/queue';
import type { DueRow, DueRows } from './due-rows.js';

/** Dependencies of all senders of jobs. */
export interface Sending {
  readonly config: Pick<AppConfig, 'dispatch'>;
  readonly logger: Logger;
  readonly send: JobProducer['send'];
}

/** Sends jobs for rows that wait in the database, for all queues: when triggered, and periodically by the housekeeper. */
export class JobDispatchers {
  private readonly dispatchers: ReadonlyMap<QueueName, Dispatcher<DueRow>>;
  private readonly announced = new Map<QueueName, Set<string>>();

  constructor(
    private readonly waiting: ReadonlyMap<QueueName, DueRows>,
    sending: Sending,
  ) {
    this.dispatchers = new Map(
      [...waiting].map(([queue, rows]) => [queue, this.dispatcherOf(queue, rows, sending)]),
    );
  }

  get queues(): readonly QueueName[] {
    return [...this.dispatchers.keys()];
  }

  /** Starts a dispatch of the queue. Returns at once. */
  trigger(queue: QueueName): void {
    this.of(queue).trigger();
  }

  /** Makes the row with this id due early and starts a dispatch. Returns at once. */
  announce(queue: QueueName, id: string): void {
    const ids = this.announced.get(queue) ?? new Set();
    this.announced.set(queue, ids.add(id));
    this.trigger(queue);
  }

  dispatch(queue: QueueName): Promise<number> {
    return this.of(queue).dispatch();
  }

  /** True if a row has waited for a job for at least `forMs` milliseconds; false for a queue without rows. */
  async isOverdue(queue: QueueName, forMs: number): Promise<boolean> {
    return (await this.waiting.get(queue)?.isOverdue(forMs)) ?? false;
  }

  private of(queue: QueueName): Dispatcher<DueRow> {
    const found = this.dispatchers.get(queue);
    if (found === undefined) throw new Error(`no rows wait for jobs of the queue "${queue}"`);
    return found;
  }

  private dispatcherOf(
    queue: QueueName,
    rows: DueRows,
    { config, logger, send }: Sending,
  ): Dispatcher<DueRow> {
    const { redispatchAfterMs } = config.dispatch;
    return new Dispatcher<DueRow>(
      {
        take: () => rows.take(this.takeAnnounced(queue), redispatchAfterMs),
        requeue: (due) => rows.requeue(due),
      },
      (due) =>
        send(
          queue,
          due.map((row) => jobOf(queue, row)),
        ),
      warnRarely(logger, `jobs of ${queue} not dispatched`),
    );
  }

  /** Returns and clears the announced ids. If the dispatch fails, their rows become due at their usual time. */
  private takeAnnounced(queue: QueueName): readonly string[] {
    const ids = [...(this.announced.get(queue) ?? [])];
    this.announced.delete(queue);
    return ids;
  }
}

/** Each job has its own id, because the queue ignores a job with an id that it holds; a duplicate job is harmless. */
function jobOf(queue: QueueName, row: DueRow): NewJob<QueueName> {
  return { id: `${queue}-${randomUUID()}`, payload: { v: 1, ...row } as JobPayload<QueueName> };
}
