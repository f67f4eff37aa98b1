import type { INestApplicationContext } from '@nestjs/common';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { createWorkerApp, WorkerModule } from '../../../apps/worker/src/worker.module.js';
import { SCOPES } from '#libs/persistence';
import { anOrderDraftLine } from '../../support/builders/order-draft-line.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { ORDERING_TOKEN, OrderingServiceUnderTest } from '../../support/services/ordering-service.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { createKey } from '../api/api-keys.js';
import { ask, type Answer, type RequestOptions } from '../api/http-client.js';

export const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
/** Environment of API and worker. */
export const ORDERING_ENV = {
  ENCRYPTION_KEY,
  PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*',
  DISPATCH_INTERVAL_MS: '100',
  DISPATCH_AGAIN_SECONDS: '1',
};
export const EXECUTION = '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01';

/** An order line with an item of the seeded catalogue. */
export const LINE = { ...anOrderDraftLine(), pack_size: '25 LB' };

export interface ShownOrder {
  readonly status: string;
  readonly version: number;
  readonly is_saved: boolean;
  readonly sending: {
    readonly tries: number;
    readonly order_number: string | null;
    readonly failure: { readonly code: string; readonly status: number | null } | null;
    readonly is_outcome_unknown: boolean;
  } | null;
}

/** A real API with API keys, a real worker if a test wants one, and a real ordering service. */
export class OrderingWorld {
  private constructor(
    readonly database: TestDatabase,
    readonly api: RunningApi,
    private readonly worker: INestApplicationContext | null,
    readonly service: OrderingServiceUnderTest,
    private readonly key: string,
  ) {}

  static async open(
    options: { readonly withWorker: boolean; readonly redisUrl?: string } = { withWorker: true },
  ): Promise<OrderingWorld> {
    const database = await createSeededDatabase();
    const service = await OrderingServiceUnderTest.start();
    const env = {
      DATABASE_URL: database.url,
      ...ORDERING_ENV,
      ...(options.redisUrl !== undefined && { REDIS_URL: options.redisUrl }),
    };
    const api = await startApi({ ...env, AUTH: 'api-key' });
    const config = parseEnv({ NODE_ENV: 'test', WORKER_PORT: '0', ...env });
    const logger = pino(
      { level: 'debug' },
      { write: (line: string) => void (api.log as string[]).push(line) },
    );
    const worker = options.withWorker
      ? await createWorkerApp(config, logger, WorkerModule.forRoot(config, logger))
      : null;
    const key = await createKey(api.dataSource, SCOPES);
    return new OrderingWorld(database, api, worker, service, key);
  }

  async close(): Promise<void> {
    await this.worker?.close();
    await this.api.app.close();
    await this.service.close();
    await this.database.drop();
  }

  ask(path: string, options: RequestOptions = {}, key = this.key): Promise<Answer> {
    const headers = { authorization: `Bearer ${key}`, ...options.headers };
    return ask(this.api.url, path, { ...options, headers });
  }

  keyOf(tenantId: string, scopes: readonly string[] = SCOPES): Promise<string> {
    return createKey(this.api.dataSource, scopes, tenantId);
  }

  nameService(url = this.service.url, token: string | null = ORDERING_TOKEN): Promise<Answer> {
    return this.ask('/api/ordering-service/', { method: 'PUT', json: { url, token } });
  }

  /** Inserts an order request: a draft by default, confirmed with `isSaved`. */
  async insertOrder(items: readonly object[] = [LINE], isSaved = false): Promise<number> {
    const [row] = await this.api.dataSource.query<[{ id: number }]>(
      `INSERT INTO order_entry.order_request (tenant_id, execution_id, customer_name, payload)
       VALUES ('default', $1, 'Harbor Grill', $2) RETURNING id`,
      [EXECUTION, JSON.stringify({ items, isSaved })],
    );
    return row.id;
  }

  async show(id: number): Promise<ShownOrder> {
    return (await this.ask(`/api/order-requests/${id}/`)).body as unknown as ShownOrder;
  }

  patch(id: number, json: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(`/api/order-requests/${id}/`, { method: 'PATCH', json, headers });
  }

  send(id: number, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(`/api/order-requests/${id}/send/`, { method: 'POST', headers });
  }

  /** Waits until the order is sent or given up. */
  settled(id: number): Promise<ShownOrder> {
    return waitFor(
      async () => {
        const order = await this.show(id);
        return order.status === 'sending' ? null : order;
      },
      { description: 'the order to be sent or given up' },
    );
  }

  /** Waits until `tries` tries have ended; the backoff before the next one lasts seconds. */
  tried(id: number, tries: number): Promise<ShownOrder> {
    return waitFor(
      async () => {
        const shown = await this.show(id);
        return shown.sending?.tries === tries ? shown : null;
      },
      { description: `try ${tries} to be over` },
    );
  }

  /** Makes the next try of every order due. */
  async hurry(): Promise<void> {
    await this.api.dataSource.query('UPDATE background_task SET due_at = now(), dispatched_at = NULL');
  }

  async changes(id: number): Promise<readonly Record<string, unknown>[]> {
    const { body } = await this.ask(`/api/order-requests/${id}/changes/`);
    return body.data as readonly Record<string, unknown>[];
  }
}
