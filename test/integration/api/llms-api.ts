import type { INestApplicationContext } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { createSimulator } from '../../../apps/simulator/src/simulator.js';
import { createWorkerApp } from '../../../apps/worker/src/worker.module.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { startApi, type RunningApi } from './api-fixture.js';

export const KEY = 'sk-canary-1234567890';
const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

export interface LlmAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface LlmsApiOptions {
  /** Redis for API and worker; by default, queue and events are in the database. */
  readonly redisUrl?: string | undefined;
  /** Environment of API and worker. */
  readonly env?: Readonly<Record<string, string>>;
  /** Environment of the worker only. */
  readonly workerEnv?: Readonly<Record<string, string>>;
}

/** An API and a worker on a database of their own that may call a simulated model server on a private address. */
export class LlmsApi {
  private constructor(
    readonly database: TestDatabase,
    private readonly simulator: FastifyInstance,
    readonly simulatorUrl: string,
    readonly api: RunningApi,
    private worker: INestApplicationContext | null,
  ) {}

  static async start({ redisUrl, env: more = {}, workerEnv = {} }: LlmsApiOptions = {}): Promise<LlmsApi> {
    const database = await createSeededDatabase();
    const simulator = await createSimulator();
    const simulatorUrl = await simulator.listen({ host: '127.0.0.1', port: 0 });
    const env = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY,
      MODEL_ALLOW_PRIVATE_HOSTS: 'true',
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
      ...more,
    };
    const api = await startApi(env);
    const config = parseEnv({ NODE_ENV: 'test', WORKER_PORT: '0', ...env, ...workerEnv });
    // The worker logs into the API's log, so that searches for secrets in the log cover both processes.
    const logger = pino(
      { level: 'debug' },
      { write: (line: string) => void (api.log as string[]).push(line) },
    );
    return new LlmsApi(database, simulator, simulatorUrl, api, await createWorkerApp(config, logger));
  }

  async stopWorker(): Promise<void> {
    await this.worker?.close();
    this.worker = null;
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.api.app.close();
    await this.simulator.close();
    await this.database.drop();
  }

  async call(method: string, path: string, body?: unknown, base = this.api.url): Promise<LlmAnswer> {
    const init =
      body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${base}${path}`, { method, ...init });
    const text = await response.text();
    const json = (text === '' ? null : JSON.parse(text)) as Record<string, unknown>;
    return { status: response.status, text, json };
  }

  create(credentials: object, rest: object = {}): Promise<LlmAnswer> {
    return this.call('POST', '/api/llms/', { name: 'mine', model: 'sim-echo', credentials, ...rest });
  }
}
