import { randomUUID } from 'node:crypto';
import { ExtractMemories, type RunExecutionDependencies } from '#libs/executions';
import type { ExecutionView } from '#libs/payloads';
import { systemClock } from '#libs/kernel';
import { ExecutionMetrics, Metrics, WebhookMetrics, WorkMetrics } from '#libs/observability';
import {
  createDataSource,
  measurePool,
  PostgresExtractions,
  readWorkOverview,
  WebhookDeliveryStore,
  WorkerPresence,
} from '#libs/persistence';
import { ModelCallError, type ModelPort } from '#libs/agent-core';
import type { ToolDefinition } from '#libs/tooling';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { MetricsServer } from '../../../apps/api/src/metrics/metrics-server.js';
import { SUSPECT_AFTER_LOSSES } from '../../../apps/worker/src/execute/suspects.js';
import { HealthServer } from '../../../apps/worker/src/health/health-server.js';
import {
  DeliverWebhook,
  type DeliverWebhookDependencies,
} from '../../../apps/worker/src/webhooks/deliver-webhook.js';
import {
  DeliveryAttempts,
  type DeliveryAttemptsDependencies,
} from '../../../apps/worker/src/webhooks/delivery-attempts.js';
import { pauseAfter } from '../../../apps/worker/src/webhooks/evaluate-delivery.js';
import { SendRoom } from '../../../apps/worker/src/webhooks/send-room.js';
import { aModelAnswer } from '../../support/builders/model-answer.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { MetricSamples, readMetrics } from '../../support/metrics/read-metrics.js';
import { startBreakableProxy, type BreakableProxy } from '../../support/services/breakable-proxy.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { WorkerWorld } from '../worker/worker-world.js';
import { emptyTables } from '../../support/services/empty-tables.js';

const PLACES = 50;
const WORKER_POOL = 2;

/**
 * An API and a worker on a real database that expose their metrics as the processes do. The speed of the machine affects
 * only the alerts that the spec lists in `SPEED`.
 */
export class MonitoredService {
  private presence: WorkerPresence | undefined;

  private constructor(
    readonly worker: WorkerWorld,
    readonly api: RunningApi,
    /** Proxy between the service and its database, by which a test cuts the connections. */
    readonly database: BreakableProxy,
    /** The worker's connection pool, with metrics. */
    readonly workerPool: DataSource,
    private readonly meter: ExecutionMetrics,
    private readonly webhooks: WebhookMetrics,
    private readonly health: HealthServer,
    /** URL of the metrics of each process. */
    readonly urls: readonly string[],
  ) {}

  static async open(): Promise<MonitoredService> {
    const worker = await WorkerWorld.open();
    const database = await startBreakableProxy(worker.databaseUrl);
    // A folder cannot exist below /dev/null, so every access to the file store fails.
    const settings = { METRICS_PORT: '0', DOCUMENTS_ROOT: '/dev/null/documents' };
    const api = await startApi({ DATABASE_URL: database.url, ...settings });
    const workerPool = await createDataSource({ url: database.url, poolSize: WORKER_POOL }).initialize();
    const metrics = new Metrics();
    measurePool(metrics, workerPool, () => systemClock.monotonic());
    // Advances by 60 s for each call, because readings are cached for 10 s.
    let now = 0;
    const clock = { monotonic: () => (now += 60_000) };
    const ignore = (): void => undefined;
    new WorkMetrics(metrics, () => readWorkOverview(workerPool, SUSPECT_AFTER_LOSSES), clock, ignore);
    const meter = new ExecutionMetrics(metrics, []);
    const webhooks = new WebhookMetrics(metrics);
    const health = new HealthServer({ isLive: () => true, checkReady: () => Promise.resolve(), metrics });
    const ports = [await health.listen('127.0.0.1', 0), api.app.get(MetricsServer).port ?? 0];
    const urls = ports.map((port) => `http://127.0.0.1:${port}/metrics`);
    const service = new MonitoredService(worker, api, database, workerPool, meter, webhooks, health, urls);
    await service.reset();
    return service;
  }

  /** Reads the metrics of all processes, each with an `instance` label of its own. */
  async scrape(): Promise<MetricSamples> {
    const each = await Promise.all(this.urls.map((url) => readMetrics(url)));
    return new MetricSamples(
      each.map(({ text }) => text).join('\n'),
      each.flatMap(({ samples }, index) =>
        samples.map((sample) => ({ ...sample, labels: { ...sample.labels, instance: String(index) } })),
      ),
    );
  }

  /** Removes all work, and announces a worker if there is none. */
  async reset(): Promise<void> {
    await emptyTables(this.worker.dataSource, 'execution', 'webhook_endpoint', 'document', 'datasource');
    if (this.presence) return;
    this.presence = new WorkerPresence({
      databaseUrl: this.worker.databaseUrl,
      ...{ processName: 'w', places: PLACES, answerWithinMs: 20_000, onError: () => undefined },
    });
    await this.presence.start();
  }

  async loseWorker(): Promise<void> {
    await this.presence?.stop();
    this.presence = undefined;
  }

  async run(
    model: ModelPort,
    tools: readonly ToolDefinition[] = [],
    overrides: Partial<RunExecutionDependencies> = {},
  ): Promise<ExecutionView> {
    await this.worker.offer(tools);
    const { id } = await this.worker.submit();
    return this.runAgain(id, model, tools, overrides);
  }

  runAgain(
    id: string,
    model: ModelPort,
    tools: readonly ToolDefinition[] = [],
    overrides: Partial<RunExecutionDependencies> = {},
  ): Promise<ExecutionView> {
    return this.worker.run(id, model, tools, { meter: this.meter, ...overrides });
  }

  /** Makes the last try to learn from an execution fail, because the model refuses. */
  async learnInVain(): Promise<void> {
    await this.worker.offer([], { memory: { enabled: true } });
    const executor = { user_id: 'mara', name: 'n', email: 'e' };
    const request = { input: 'hello', options: {}, additional_data: {}, executor };
    const { id } = await this.worker.submit({ request });
    await this.runAgain(id, new ScriptedModel([aModelAnswer({ text: 'Here you are.' })]));
    await this.worker.dataSource.query('UPDATE memory_extraction SET tries = 3, recorded_try = 3');
    const refused = new ModelCallError({ reason: 'refused', message: 'no', retryable: false });
    await new ExtractMemories({
      extractions: new PostgresExtractions(this.worker.dataSource),
      modelOf: () => ({ model: new ScriptedModel([refused]), costOf: () => null }),
      newToken: randomUUID,
      abortAfter: (ms) => AbortSignal.timeout(ms),
      logger: pino({ level: 'silent' }),
      meter: this.meter,
    }).execute(id);
  }

  /** Attempts the only delivery once, at a receiver that answers with this status code. */
  async deliver(statusCode: number): Promise<void> {
    const [delivery] = await this.worker.dataSource.query<{ id: string }[]>(
      'SELECT id FROM webhook_delivery',
    );
    const answer = { kind: 'answered', statusCode, retryAfterMs: null } as const;
    const deliveries = new WebhookDeliveryStore(this.worker.dataSource);
    const attempts = new DeliveryAttempts({
      deliveries,
      secrets: { open: () => [] },
      sender: { send: () => Promise.resolve(answer) },
      pauseAfter: (failures: number) => pauseAfter(failures, 0),
      tenantConcurrency: 16,
      clock: systemClock,
      random: () => 0,
      logger: pino({ level: 'silent' }),
      onAttempt: (...[result, seconds]: Parameters<WebhookMetrics['record']>) =>
        this.webhooks.record(result, seconds),
    } as unknown as DeliveryAttemptsDependencies);
    const given: DeliverWebhookDependencies = {
      deliveries,
      attempts,
      room: new SendRoom({ total: 1, receiver: 1, tenant: 1 }),
      workerId: () => Promise.resolve('w'),
      receiverConcurrency: 4,
      onEnded: () => undefined,
    };
    await new DeliverWebhook(given).execute(delivery?.id ?? '');
  }

  async close(): Promise<void> {
    this.database.restore();
    await this.loseWorker();
    await this.health.close();
    await this.api.app.close();
    await this.workerPool.destroy();
    await this.database.close();
    await this.worker.close();
  }
}
