import { BullRegistrar } from '@nestjs/bullmq';
import {
  Inject,
  Injectable,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type Provider,
} from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { BackgroundReleases, Reserve } from '#libs/executions';
import { Metrics, type Logger } from '#libs/observability';
import { WorkerPresence } from '#libs/persistence';
import { QueueHealth } from '#libs/queue';
import { ConnectServerProcessor } from './connections/connect-server.processor.js';
import { CONNECTION_CONCURRENCY } from './connections/connection.providers.js';
import { REVOCATION_CONCURRENCY } from './connections/revocation.providers.js';
import { RevokeTokensProcessor } from './connections/revoke-tokens.processor.js';
import { DomainTaskProcessor } from './domain-tasks/domain-task.processor.js';
import { TASK_CONCURRENCY } from './domain-tasks/domain-task.providers.js';
import { ExecuteProcessor, JOBS_AT_ONCE } from './execute/execute.processor.js';
import { HealthServer } from './health/health-server.js';
import { WorkerHealth } from './health/worker-health.js';
import { Housekeeper } from './housekeeping/housekeeper.js';
import { IngestDocumentProcessor } from './ingest/ingest-document.processor.js';
import { ExtractMemoriesProcessor } from './memories/extract-memories.processor.js';
import { MEMORY_CONCURRENCY } from './memories/memory.providers.js';
import { WorkerRegistrar, type RegisteredWorker } from './queue/worker-registrar.js';
import { SearchDocumentsProcessor } from './retrieve/search-documents.processor.js';
import { SEARCH_CONCURRENCY } from './retrieve/search-documents.providers.js';
import { DrainSignal } from './shutdown/shutdown.js';
import { SummarizeSessionProcessor } from './summaries/summarize-session.processor.js';
import { SUMMARY_CONCURRENCY } from './summaries/summary.providers.js';
import { GenerateTitleProcessor } from './titles/generate-title.processor.js';
import { TITLE_CONCURRENCY } from './titles/title.providers.js';
import { TryToolProcessor } from './tool-servers/try-tool.processor.js';
import { TRIAL_CONCURRENCY } from './tool-servers/try-tool.providers.js';
import { ValidateLlmProcessor } from './validate-llm/validate-llm.processor.js';
import { VALIDATION_CONCURRENCY } from './validate-llm/validate-llm.providers.js';
import { BornDeliveries } from './webhooks/born-deliveries.js';
import { DeliverWebhookProcessor } from './webhooks/deliver-webhook.processor.js';
import { WEBHOOK_CONCURRENCY } from './webhooks/webhook.providers.js';
import { HEALTH_PORT, LOGGER, WORKER_CONFIG } from './worker.tokens.js';

export const workerRegistrarProvider: Provider = {
  provide: WorkerRegistrar,
  inject: [
    BullRegistrar,
    DrainSignal,
    LOGGER,
    WORKER_CONFIG,
    { token: ExecuteProcessor, optional: true },
    { token: DeliverWebhookProcessor, optional: true },
    { token: GenerateTitleProcessor, optional: true },
    { token: ExtractMemoriesProcessor, optional: true },
    { token: ValidateLlmProcessor, optional: true },
    { token: TryToolProcessor, optional: true },
    { token: SearchDocumentsProcessor, optional: true },
    { token: ConnectServerProcessor, optional: true },
    { token: IngestDocumentProcessor, optional: true },
    { token: SummarizeSessionProcessor, optional: true },
    { token: RevokeTokensProcessor, optional: true },
    { token: DomainTaskProcessor, optional: true },
  ],
  useFactory: (
    registrar: BullRegistrar,
    drain: DrainSignal,
    logger: Logger,
    config: AppConfig,
    execute?: ExecuteProcessor,
    webhooks?: DeliverWebhookProcessor,
    titles?: GenerateTitleProcessor,
    memories?: ExtractMemoriesProcessor,
    validations?: ValidateLlmProcessor,
    trials?: TryToolProcessor,
    searches?: SearchDocumentsProcessor,
    connections?: ConnectServerProcessor,
    documents?: IngestDocumentProcessor,
    summaries?: SummarizeSessionProcessor,
    revocations?: RevokeTokensProcessor,
    tasks?: DomainTaskProcessor,
  ) => {
    const registered: RegisteredWorker[] = [
      ...(execute ? [{ host: execute, concurrency: Math.min(JOBS_AT_ONCE, config.worker.concurrency) }] : []),
      ...(webhooks ? [{ host: webhooks, concurrency: WEBHOOK_CONCURRENCY }] : []),
      ...(titles ? [{ host: titles, concurrency: TITLE_CONCURRENCY }] : []),
      ...(summaries ? [{ host: summaries, concurrency: SUMMARY_CONCURRENCY }] : []),
      ...(memories ? [{ host: memories, concurrency: MEMORY_CONCURRENCY }] : []),
      ...(validations ? [{ host: validations, concurrency: VALIDATION_CONCURRENCY }] : []),
      ...(trials ? [{ host: trials, concurrency: TRIAL_CONCURRENCY }] : []),
      ...(searches ? [{ host: searches, concurrency: SEARCH_CONCURRENCY }] : []),
      ...(connections ? [{ host: connections, concurrency: CONNECTION_CONCURRENCY }] : []),
      ...(revocations ? [{ host: revocations, concurrency: REVOCATION_CONCURRENCY }] : []),
      ...(tasks ? [{ host: tasks, concurrency: TASK_CONCURRENCY }] : []),
      ...(documents ? [{ host: documents, concurrency: config.knowledge?.concurrency ?? 1 }] : []),
    ];
    return new WorkerRegistrar(registrar, registered, drain, logger, config.worker.shutdownGraceMs);
  },
};

/** Begins work when everything stands, ends it before anything falls. */
@Injectable()
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly health: HealthServer;
  private hasStarted = false;

  constructor(
    private readonly registrar: WorkerRegistrar,
    @Inject(WORKER_CONFIG) private readonly config: AppConfig,
    @Inject(HEALTH_PORT) private readonly healthPort: number | null,
    private readonly queue: QueueHealth,
    private readonly connections: WorkerHealth,
    metrics: Metrics,
    @Optional() private readonly housekeeper?: Housekeeper,
    @Optional() private readonly presence?: WorkerPresence,
    @Optional() private readonly reserve?: Reserve,
    @Optional() private readonly backgroundReleases?: BackgroundReleases,
    @Optional() private readonly births?: BornDeliveries,
  ) {
    this.health = new HealthServer({
      isLive: () => this.isLive,
      checkReady: () => this.checkReady(),
      metrics,
    });
  }

  /** False when a restart would help. */
  get isLive(): boolean {
    return this.registrar.isLive && this.connections.isLive;
  }

  /** Resolves when it takes jobs, and what it depends on answers. */
  async checkReady(): Promise<void> {
    if (!this.hasStarted) throw new Error('the worker is still starting');
    await this.connections.checkReady();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.queue.checkServer();
    if (this.healthPort !== null) await this.health.listen(this.config.http.host, this.healthPort);
    await this.presence?.start();
    await this.registrar.start();
    this.reserve?.start();
    this.housekeeper?.start();
    this.connections.start();
    this.hasStarted = true;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.connections.stop();
    await this.housekeeper?.stop();
    const births = this.births?.stop(this.config.worker.shutdownGraceMs);
    await Promise.all([this.registrar.stop(), this.reserve?.stop(), births]);
    await this.backgroundReleases?.settled();
    await this.presence?.stop();
    await this.health.close();
  }
}
