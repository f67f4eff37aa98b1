import { pino } from 'pino';
import { systemClock } from '#libs/kernel';
import { ExecutionEndings, ExecutionWrites, PostgresJournal, WebhookDeliveryStore } from '#libs/persistence';
import { SecretBox } from '#libs/secrets';
import type { DataSource, EntityManager } from 'typeorm';
import { InlineDeliverer } from '../../../apps/worker/src/webhooks/inline-deliverer.js';
import { DeliverWebhook } from '../../../apps/worker/src/webhooks/deliver-webhook.js';
import { DeliveryAttempts } from '../../../apps/worker/src/webhooks/delivery-attempts.js';
import { pauseAfter } from '../../../apps/worker/src/webhooks/evaluate-delivery.js';
import { SendRoom } from '../../../apps/worker/src/webhooks/send-room.js';
import { WebhookSecrets } from '../../../apps/worker/src/webhooks/webhook-secrets.js';
import type { WebhookSender } from '../../../apps/worker/src/webhooks/webhook-sender.js';
import { aModelAnswer } from '../../support/builders/model-answer.js';
import { SequenceModel } from '../../support/fakes/scripted-model.js';
import type { WorkerWorld } from '../worker/worker-world.js';

export interface SendingWorkerOptions {
  readonly name: string;
  readonly encryptionKey: string | null;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly receiverConcurrency: number;
  readonly tenantConcurrency: number;
  readonly log: (line: string) => void;
  readonly most?: number;
  readonly newcomerMs?: number;
  /** Makes the signal that ends a delivery's wait for a slot; without it, the wait has no limit. */
  readonly waitSignal?: () => AbortSignal;
}

/** Webhook delivery of one worker process: inline for executions that it ends, and by jobs. */
export class SendingWorker {
  readonly inlineDeliveries: InlineDeliverer;
  /** Numbers of reports: `ended` that a receiver has room again, `waiting` that a delivery is left to the dispatcher. */
  readonly said = { ended: 0, waiting: 0 };
  underWay = 0;
  private readonly job: DeliverWebhook;

  constructor(
    private readonly worker: WorkerWorld,
    private readonly options: SendingWorkerOptions,
  ) {
    const { name, encryptionKey, receiverConcurrency, tenantConcurrency } = options;
    const box = SecretBox.of(encryptionKey);
    const logger = pino({}, { write: options.log });
    const deliveries = new WebhookDeliveryStore(this.dataSource);
    const room = new SendRoom({ total: 100, receiver: receiverConcurrency, tenant: tenantConcurrency });
    const attempts = new DeliveryAttempts({
      deliveries,
      secrets: new WebhookSecrets(box, logger),
      sender: options.sender as WebhookSender,
      pauseAfter: (failures) => pauseAfter(failures, 0),
      tenantConcurrency,
      clock: systemClock,
      random: () => 0,
      logger,
      onAttempt: () => undefined,
    });
    this.job = new DeliverWebhook({
      deliveries,
      workerId: () => Promise.resolve(name),
      receiverConcurrency,
      room,
      attempts,
      onEnded: () => (this.said.ended += 1),
    });
    this.inlineDeliveries = new InlineDeliverer({
      deliveries,
      presentName: () => name,
      room,
      attempts,
      most: options.most ?? 60,
      tenantConcurrency,
      newcomerMs: options.newcomerMs ?? 0,
      waitSignal: options.waitSignal ?? (() => new AbortController().signal),
      onBegin: () => {
        this.underWay += 1;
        return () => (this.underWay -= 1);
      },
      onWaiting: () => (this.said.waiting += 1),
      logger,
    });
  }

  private get dataSource(): DataSource {
    return this.worker.dataSource;
  }

  /** Announces the worker as started `seconds` ago. */
  async announce(seconds = 60): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO worker (id, places, started_at) VALUES ($1, 5, now() - $2 * interval '1 second')`,
      [this.options.name, seconds],
    );
  }

  /** Runs the job of a delivery. */
  deliver(deliveryId: string): Promise<void> {
    return this.job.execute(deliveryId);
  }

  /** Ends an execution at this worker; `inTransaction` runs after the settling statement and before its commit. */
  async run(
    executionId: string,
    inTransaction: (manager: EntityManager) => unknown = () => undefined,
  ): Promise<void> {
    const endings = new ExecutionEndings(() => Promise.resolve(), 3_600_000, this.inlineDeliveries);
    const writes = new ExecutionWrites(settlingIn(this.dataSource, inTransaction), endings);
    await this.worker.run(executionId, new SequenceModel([aModelAnswer({ text: 'done' })]), [], {
      journalOf: (claim, retries, clock) => new PostgresJournal(writes, claim, clock, retries),
    });
  }
}

const SETTLES = /SET status = fence\.ending/;

/** Wraps the data source: the settling statement runs in a transaction, with `inTransaction` before the commit. */
function settlingIn(
  dataSource: DataSource,
  inTransaction: (manager: EntityManager) => unknown,
): Pick<DataSource, 'query' | 'transaction'> {
  const query = async (sql: string, parameters?: unknown[]): Promise<unknown> => {
    if (!SETTLES.test(sql)) return dataSource.query(sql, parameters);
    return dataSource.transaction(async (manager) => {
      const rows: unknown = await manager.query(sql, parameters);
      await inTransaction(manager);
      return rows;
    });
  };
  return { query: query as DataSource['query'], transaction: dataSource.transaction.bind(dataSource) };
}
