import { WebhookDispatchStore, type DueDelivery } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { WebhookDeliveryWithAttemptsDto } from '../../../apps/api/src/webhook-deliveries/webhook-deliveries.dto.js';
import { WebhookEndpointWithSecretDto } from '../../../apps/api/src/webhook-endpoints/webhook-endpoints.dto.js';
import { WebhookSigningSecretDto } from '../../../apps/api/src/webhook-signing-secret/webhook-signing-secret.controller.js';
import { WebhookSender } from '../../../apps/worker/src/webhooks/webhook-sender.js';
import { aCall, aModelAnswer } from '../../support/builders/model-answer.js';
import { aTool } from '../../support/builders/tool.js';
import { SequenceModel } from '../../support/fakes/scripted-model.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { ask, type Answer, type RequestOptions } from '../api/http-client.js';
import { WorkerWorld } from '../worker/worker-world.js';
import { Receiver, type Behaviour } from './receiver.js';
import { SendingWorker, type SendingWorkerOptions } from './sending-worker.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
export const RECEIVER_CONCURRENCY = 4;
const TENANT_CONCURRENCY = 100;
const DELIVERIES = '/api/webhook-deliveries/';

export type Delivery = InstanceType<typeof WebhookDeliveryWithAttemptsDto>;
export type EndpointWithSecret = InstanceType<typeof WebhookEndpointWithSecretDto>;

/** An API and the webhook delivery of a worker on one database, with a receiver that behaves as the test chooses. */
export class WebhookWorld {
  behaviour: Behaviour = (_request, response) => response.writeHead(204).end();
  workerId = (): Promise<string> => Promise.resolve('this-worker');
  readonly workerLog: string[] = [];
  /** Number of times that a worker reported room at a receiver. */
  ended = 0;
  private readonly sender = new WebhookSender({ allowLoopback: true });

  private constructor(
    private readonly worker: WorkerWorld,
    readonly api: RunningApi,
    readonly receiver: Receiver,
  ) {}

  static async open(): Promise<WebhookWorld> {
    const worker = await WorkerWorld.open();
    await worker.offer([]);
    const api = await startApi({ DATABASE_URL: urlOf(worker.dataSource), ENCRYPTION_KEY });
    const receiver = await Receiver.listen((request, response, body) =>
      world.behaviour(request, response, body),
    );
    const world: WebhookWorld = new WebhookWorld(worker, api, receiver);
    return world;
  }

  get dataSource(): DataSource {
    return this.worker.dataSource;
  }

  get databaseUrl(): string {
    return urlOf(this.dataSource);
  }

  ask(path: string, options: RequestOptions = {}): Promise<Answer> {
    return ask(this.api.url, path, options);
  }

  async register(fields: object = {}): Promise<EndpointWithSecret> {
    const json = { url: this.receiver.url, ...fields };
    return WebhookEndpointWithSecretDto.create((await this.ask('/api/webhook-endpoints/', { json })).body);
  }

  async rotateSigningSecret(): Promise<InstanceType<typeof WebhookSigningSecretDto>> {
    const path = '/api/webhook-signing-secret/rotate/';
    return WebhookSigningSecretDto.create((await this.ask(path, { method: 'POST' })).body);
  }

  async rotate(endpointId: number): Promise<EndpointWithSecret> {
    const path = `/api/webhook-endpoints/${endpointId}/rotate-secret/`;
    return WebhookEndpointWithSecretDto.create((await this.ask(path, { method: 'POST' })).body);
  }

  /** Ends an execution; returns its delivery to the endpoint. */
  async notify(endpointId: number): Promise<Delivery> {
    const { id } = await this.worker.submit();
    await this.run(id);
    const { body } = await this.ask(`${DELIVERIES}?execution_id=${id}&endpoint_id=${endpointId}`);
    const [delivery] = body.data as { id: string }[];
    return this.read(delivery?.id ?? '');
  }

  /** Submits an execution with a webhook of its own, by default to the receiver; returns the execution's id. */
  async submit(webhook: object = { url: this.receiver.url }): Promise<string> {
    const { body } = await this.ask('/api/agents/1/execute/', { json: { input: 'hello', webhook } });
    return String(body.id);
  }

  /** Runs an execution to its end with this answer. */
  async run(executionId: string, text = 'done'): Promise<void> {
    await this.worker.run(executionId, new SequenceModel([aModelAnswer({ text })]));
  }

  /** Submits an execution with a webhook of its own and parks it for an approval; returns its id. */
  async park(): Promise<string> {
    const tool = { ...aTool('charge'), approval: 'always' as const };
    await this.worker.offer([tool]);
    const executionId = await this.submit();
    await this.worker.run(
      executionId,
      new SequenceModel([aModelAnswer({ toolCalls: [aCall('charge', 'c1')] })]),
      [tool],
    );
    await this.worker.offer([]);
    return executionId;
  }

  /** Submits an execution with a webhook of its own and ends it; returns the delivery of that webhook. */
  async tellOwn(webhook?: object): Promise<Delivery> {
    const executionId = await this.submit(webhook);
    await this.run(executionId);
    return this.findOwn(executionId);
  }

  /** The newest delivery of the execution's own webhook. */
  async findOwn(executionId: string): Promise<Delivery> {
    const { body } = await this.ask(`${DELIVERIES}?execution_id=${executionId}`);
    const deliveries = body.data as { id: string; endpoint_id: number | null }[];
    return this.read(deliveries.find((delivery) => delivery.endpoint_id === null)?.id ?? '');
  }

  async read(deliveryId: string): Promise<Delivery> {
    return WebhookDeliveryWithAttemptsDto.create((await this.ask(`${DELIVERIES}${deliveryId}/`)).body);
  }

  redeliver(deliveryId: string): Promise<Answer> {
    return this.ask(`${DELIVERIES}${deliveryId}/redeliver/`, { method: 'POST' });
  }

  /** Makes a pending delivery due and runs its job; returns the delivery afterwards. */
  async attempt(deliveryId: string, encryptionKey: string | null = ENCRYPTION_KEY): Promise<Delivery> {
    await this.dataSource.query(
      `UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = $1 AND status = 'pending'`,
      [deliveryId],
    );
    await this.deliver(deliveryId, encryptionKey);
    return this.read(deliveryId);
  }

  async deliver(deliveryId: string, encryptionKey: string | null = ENCRYPTION_KEY): Promise<void> {
    const worker = this.makeWorker({ name: await this.workerId(), encryptionKey });
    await worker.deliver(deliveryId);
    this.ended += worker.said.ended;
  }

  makeWorker(options: Partial<SendingWorkerOptions> = {}): SendingWorker {
    return new SendingWorker(this.worker, {
      name: 'a-worker',
      encryptionKey: ENCRYPTION_KEY,
      sender: this.sender,
      receiverConcurrency: RECEIVER_CONCURRENCY,
      tenantConcurrency: TENANT_CONCURRENCY,
      log: (line) => void this.workerLog.push(line),
      ...options,
    });
  }

  /** Takes due deliveries as the dispatcher does, which marks them as dispatched. */
  take(queueTarget = 100, tenantConcurrency = 100): Promise<DueDelivery[]> {
    return new WebhookDispatchStore(this.dataSource).take({
      queueTarget,
      redispatchAfterMs: 30_000,
      receiverConcurrency: RECEIVER_CONCURRENCY,
      tenantConcurrency,
    });
  }

  /** Inserts `count` copies of a delivery, due one second after each other; returns their ids. */
  async copy(delivery: Delivery, count: number, tenantId = 'default'): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `INSERT INTO webhook_delivery (id, tenant_id, endpoint_id, receiver, execution_id, type, body, next_attempt_at)
       SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), $3, endpoint_id, receiver, execution_id, type, body,
              now() - (100 - n) * interval '1 second'
         FROM webhook_delivery, generate_series(1, $2::int) n WHERE id = $1 RETURNING id`,
      [delivery.id, count, tenantId],
    );
    return rows.map((row) => row.id);
  }

  /** Ends every pause of a receiver now. */
  async endPauses(): Promise<void> {
    await this.dataSource.query(
      `UPDATE webhook_breaker SET paused_until = date_trunc('milliseconds', now()) WHERE paused_until > now()`,
    );
  }

  async close(): Promise<void> {
    await this.sender.close();
    await this.receiver.close();
    await this.api.app.close();
    await this.worker.close();
  }
}

function urlOf(dataSource: DataSource): string {
  const { options } = dataSource;
  if (options.type !== 'postgres' || options.url === undefined) throw new Error('there is no database URL');
  return options.url;
}
