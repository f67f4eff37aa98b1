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
/** Of a delivery that waits for its turn, or is over. */
export const FREE: DeliveryHold = { sender: null, is_leased: false, is_dispatched: false };
export const heldBy = (sender: string): DeliveryHold => ({ sender, is_leased: true, is_dispatched: true });

export const answering =
  (status: number): Behaviour =>
  (_request, response) =>
    response.writeHead(status).end();

/** Executions that end at workers which send their webhooks by themselves. */
export class BirthWorld {
  worker!: SendingWorker;

  private constructor(readonly webhooks: WebhookWorld) {}

  static async open(): Promise<BirthWorld> {
    return new BirthWorld(await WebhookWorld.open());
  }

  /** Nothing is left of the test before; there is one worker, which is known for long. */
  async begin(): Promise<void> {
    const tables = ['worker', 'webhook_endpoint', 'execution_webhook', 'webhook_delivery', 'webhook_breaker'];
    for (const table of tables) await this.query(`DELETE FROM ${table}`);
    this.webhooks.behaviour = answering(204);
    this.worker = this.webhooks.makeWorker();
    await this.worker.announce();
  }

  /** Instead of the one that is there. */
  async replaceWorkers(workers: readonly SendingWorker[], seconds?: number): Promise<void> {
    await this.query('DELETE FROM worker');
    for (const worker of workers) await worker.announce(seconds);
  }

  query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return this.webhooks.dataSource.query<Row[]>(sql, parameters);
  }

  /** Requests that the receiver has not answered yet, in their order. */
  holding(): ServerResponse[] {
    const held: ServerResponse[] = [];
    this.webhooks.behaviour = (_request, response) => void held.push(response);
    return held;
  }

  /** Lets an execution with a webhook of its own end at a worker; answers the delivery as it is right then. */
  async notify(at = this.worker): Promise<Delivery> {
    const executionId = await this.webhooks.submit();
    await at.run(executionId);
    return this.webhooks.findOwn(executionId);
  }

  /** A delivery that waits for its turn. */
  async waiting(): Promise<Delivery> {
    const delivery = await this.webhooks.tellOwn();
    await this.makeDue(delivery, 3_600);
    return delivery;
  }

  /** Lets the turn of a delivery come in so many seconds. */
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

  /** Waits until nobody holds it any more. */
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

  /** The ids under which requests for an execution have come in. */
  idsSent(executionId: string): (string | undefined)[] {
    return this.webhooks.receiver.requests
      .filter(({ body }) => body.includes(executionId))
      .map(({ headers }) => headers['webhook-id']);
  }

  close(): Promise<void> {
    return this.webhooks.close();
  }
}
