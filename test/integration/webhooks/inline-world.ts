import type { ServerResponse } from 'node:http';
import { waitFor } from '../../support/services/wait-for.js';
import type { Behaviour } from './receiver.js';
import type { SendingWorker } from './sending-worker.js';
import { WebhookWorld, type Delivery } from './webhook-world.js';

export interface DeliveryHold {
  readonly sender: string | null;
  readonly is_leased: boolean;
  readonly is_dispatched: boolean;
}
/** Hold of a delivery that no worker sends: it waits for its next attempt, or is over. */
export const FREE: DeliveryHold = { sender: null, is_leased: false, is_dispatched: false };
export const heldBy = (sender: string): DeliveryHold => ({ sender, is_leased: true, is_dispatched: true });

export const answering =
  (status: number): Behaviour =>
  (_request, response) =>
    response.writeHead(status).end();

/** Executions that end at workers with inline delivery of webhooks. */
export class InlineWorld {
  worker!: SendingWorker;

  private constructor(readonly webhooks: WebhookWorld) {}

  static async open(): Promise<InlineWorld> {
    return new InlineWorld(await WebhookWorld.open());
  }

  /** Removes workers and deliveries of earlier tests, and announces one worker as started a minute ago. */
  async begin(): Promise<void> {
    const tables = ['worker', 'webhook_endpoint', 'execution_webhook', 'webhook_delivery', 'webhook_breaker'];
    for (const table of tables) await this.query(`DELETE FROM ${table}`);
    this.webhooks.behaviour = answering(204);
    this.worker = this.webhooks.makeWorker();
    await this.worker.announce();
  }

  /** Announces these workers in place of the present ones, as started `seconds` ago. */
  async replaceWorkers(workers: readonly SendingWorker[], seconds?: number): Promise<void> {
    await this.query('DELETE FROM worker');
    for (const worker of workers) await worker.announce(seconds);
  }

  query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.webhooks.dataSource.query<Row[]>(sql, parameters);
  }

  /** Makes the receiver leave requests unanswered; returns their pending responses in order of arrival. */
  holding(): ServerResponse[] {
    const held: ServerResponse[] = [];
    this.webhooks.behaviour = (_request, response) => void held.push(response);
    return held;
  }

  /** Ends an execution with a webhook of its own at a worker; returns the delivery in its state right after. */
  async notify(at = this.worker): Promise<Delivery> {
    const executionId = await this.webhooks.submit();
    await at.run(executionId);
    return this.webhooks.findOwn(executionId);
  }

  /** Creates a delivery that is due in an hour. */
  async waiting(): Promise<Delivery> {
    const delivery = await this.webhooks.tellOwn();
    await this.makeDue(delivery, 3_600);
    return delivery;
  }

  /** Makes the next attempt of a delivery due in `seconds` seconds. */
  async makeDue({ id }: Delivery, seconds: number): Promise<void> {
    await this.query(
      `UPDATE webhook_delivery SET next_attempt_at = now() + $2 * interval '1 second' WHERE id = $1`,
      [id, seconds],
    );
  }

  read({ id }: Delivery): Promise<Delivery> {
    return this.webhooks.read(id);
  }

  async holdOf({ id }: Delivery): Promise<DeliveryHold | undefined> {
    const [row] = await this.query<DeliveryHold>(
      `SELECT sender, coalesce(lease_expires_at > now(), false) AS is_leased, dispatched_at IS NOT NULL AS is_dispatched
         FROM webhook_delivery WHERE id = $1`,
      [id],
    );
    return row;
  }

  /** Waits until no worker holds a lease on the delivery. */
  async released(delivery: Delivery): Promise<void> {
    await waitFor(async () => (await this.holdOf(delivery))?.is_leased === false, {
      description: 'the delivery to be released',
    });
  }

  async ended(delivery: Delivery): Promise<void> {
    await waitFor(async () => (await this.read(delivery)).status !== 'pending', {
      description: 'the delivery to end',
    });
  }

  /** Values of `webhook-id` in the requests that the receiver got for an execution. */
  idsSent(executionId: string): (string | undefined)[] {
    return this.webhooks.receiver.requests
      .filter(({ body }) => body.includes(executionId))
      .map(({ headers }) => headers['webhook-id']);
  }

  close(): Promise<void> {
    return this.webhooks.close();
  }
}
