import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import type { QueueName } from '#libs/payloads';
import type { JobProducer } from '#libs/queue';
import type { DataSource } from 'typeorm';

/** The parts of everything that sends jobs. */
export interface Sending {
  readonly dataSource: DataSource;
  readonly config: AppConfig;
  readonly logger: Logger;
  readonly send: JobProducer['send'];
}

/** Sends the jobs of one queue. */
export interface JobDispatcher {
  /** Returns at once. */
  trigger(): void;
  /** One selection and its jobs. Answers how many were sent. */
  dispatch(): Promise<number>;
}

/** The part of a job definition that its dispatcher needs. */
export interface DispatchedJob {
  readonly queue: QueueName;
  /** Null where a caller sends it and waits for its answer. `takeAnnounced` answers, and forgets, what was announced. */
  readonly dispatcherOf: ((sending: Sending, takeAnnounced: () => readonly string[]) => JobDispatcher) | null;
}

/** Sends the jobs of all queues whose rows wait in the database: when it is triggered, and when the housekeeper asks. */
export class JobDispatchers {
  private readonly dispatchers = new Map<QueueName, JobDispatcher>();
  private readonly announced = new Map<QueueName, Set<string>>();

  constructor(jobs: readonly DispatchedJob[], sending: Sending) {
    for (const { queue, dispatcherOf } of jobs)
      if (dispatcherOf !== null)
        this.dispatchers.set(
          queue,
          dispatcherOf(sending, () => this.takeAnnounced(queue)),
        );
  }

  get queues(): readonly QueueName[] {
    return [...this.dispatchers.keys()];
  }

  /** Something may be due. Returns at once. */
  trigger(queue: QueueName): void {
    this.of(queue).trigger();
  }

  /** The row with this id is due before its time. Returns at once. */
  announce(queue: QueueName, id: string): void {
    const ids = this.announced.get(queue) ?? new Set();
    this.announced.set(queue, ids.add(id));
    this.trigger(queue);
  }

  dispatch(queue: QueueName): Promise<number> {
    return this.of(queue).dispatch();
  }

  private of(queue: QueueName): JobDispatcher {
    const found = this.dispatchers.get(queue);
    if (found === undefined) throw new Error(`no rows wait for jobs of the queue "${queue}"`);
    return found;
  }

  /** Answers and forgets the announced ids. Where the dispatch then fails, their rows become due at their usual time. */
  private takeAnnounced(queue: QueueName): readonly string[] {
    const ids = [...(this.announced.get(queue) ?? [])];
    this.announced.delete(queue);
    return ids;
  }
}
