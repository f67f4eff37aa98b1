import { reservePort } from './reserve-port.js';
import { startSimulator } from '../../../apps/simulator/src/simulator.js';
import { createSeededDatabase } from './migrated-database.js';
import { programFile, type ProgramName } from '../../../scripts/build/programs.ts';
import { ServiceProcess } from './service-process.js';
import type { TestDatabase } from './test-database.js';
import { createTestRedis } from './redis-database.js';

export type QueueBackend = 'postgres' | 'redis';

const ENCRYPTION_KEY = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** The services of one test as real processes on a database of their own; the test's process simulates the model. */
export class Deployment {
  private readonly started: ServiceProcess[] = [];
  private isClosed = false;
  /** The first failure to start; later ones follow from it, because it closes the deployment. */
  private failure: unknown;

  private constructor(
    readonly databaseUrl: string,
    /** The URL without a trailing slash. */
    readonly simulatorUrl: string,
    private readonly env: Readonly<Record<string, string>>,
    /** Ends the simulator and the database after the services have ended. */
    private readonly endGround: () => Promise<unknown>,
  ) {}

  /** On a database with the seeded agent, with the simulator as its model. */
  static async open(
    backend: QueueBackend,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Deployment> {
    return Deployment.on(await createSeededDatabase(), backend, settings);
  }

  /** On an existing database, which `drop` ends. */
  static async on(
    database: Pick<TestDatabase, 'url' | 'drop'>,
    backend: QueueBackend,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Deployment> {
    const redis = backend === 'redis' ? createTestRedis() : null;
    const simulator = await startSimulator();
    const simulatorUrl = new URL(simulator.url).origin;
    const env = {
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
      OPENAI_BASE_URL: `${simulatorUrl}/v1`,
      OPENAI_API_KEY: 'simulator',
      OPENAI_COMPATIBLE_BASE_URL: `${simulatorUrl}/v1`,
      ANTHROPIC_BASE_URL: `${simulatorUrl}/v1`,
      ANTHROPIC_API_KEY: 'simulator',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      ENCRYPTION_KEY,
      DISPATCH_INTERVAL_MS: '200',
      // Tests that are not about titles count the model calls.
      TITLES: 'input',
      ...(redis && { REDIS_URL: redis.url }),
      ...settings,
    };
    return new Deployment(database.url, simulatorUrl, env, () =>
      Promise.all([simulator.close(), database.drop()]),
    );
  }

  /** Returns the base URL without a trailing slash. `program`: a file below the root in place of the API's own. */
  async startApi(
    settings: Readonly<Record<string, string>> = {},
    program?: string,
  ): Promise<{ url: string; process: ServiceProcess }> {
    const port = await reservePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { ...this.env, ...settings, PORT: String(port) };
    return { url, process: await this.start('api', env, `${url}/readyz`, program) };
  }

  /** Starts API and worker in one process; returns the base URL of the API. */
  startWhole(
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{ url: string; process: ServiceProcess }> {
    return this.startApi(settings, programFile('service'));
  }

  /** Starts a worker. `program`: a file below the root in place of the worker's own. */
  async startWorker(
    settings: Readonly<Record<string, string>> = {},
    program?: string,
  ): Promise<ServiceProcess> {
    const port = await reservePort();
    const env = { ...this.env, ...settings, WORKER_PORT: String(port) };
    return this.start('worker', env, `http://127.0.0.1:${port}/readyz`, program);
  }

  /** Starts a worker that may end at any moment, even before it is ready. */
  async launchWorker(program: string): Promise<ServiceProcess> {
    const port = await reservePort();
    const env = { ...this.env, WORKER_PORT: String(port) };
    const worker = ServiceProcess.launch('worker', env, `http://127.0.0.1:${port}`, program);
    this.started.push(worker);
    return worker;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.started.map((service) => service.stop()));
    await this.endGround();
  }

  /**
   * Starts a service. If one fails, the whole deployment is closed: a caller that waits for several services would never get
   * to close them.
   */
  private async start(
    name: ProgramName,
    env: Record<string, string>,
    readyUrl: string,
    program?: string,
  ): Promise<ServiceProcess> {
    try {
      if (this.isClosed) throw new Error(`the deployment was closed before ${name} started`);
      const service = ServiceProcess.launch(name, env, new URL(readyUrl).origin, program);
      this.started.push(service);
      await service.untilReady(readyUrl);
      return service;
    } catch (error) {
      this.failure ??= error;
      await this.close();
      throw this.failure;
    }
  }
}
