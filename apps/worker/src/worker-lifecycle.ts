import {
  Inject,
  Injectable,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { AssignmentIntake, BackgroundReleases, FairShareReserve, LeaseKeeper } from '#libs/executions';
import { pause, systemTimers } from '#libs/kernel';
import { Metrics } from '#libs/observability';
import { WorkerPresence } from '#libs/persistence';
import { QueueHealth } from '#libs/queue';
import { addAssignmentRoute } from './execute/assignment-route.js';
import { ownAddress } from './execute/own-address.js';
import { HealthServer } from './health/health-server.js';
import { WorkerHealth } from './health/worker-health.js';
import { Housekeeper } from './housekeeping/housekeeper.js';
import { WorkerRegistrar } from './queue/worker-registrar.js';
import { InlineDeliverer } from './webhooks/inline-deliverer.js';
import { HEALTH_PORT, WORKER_CONFIG } from './worker.tokens.js';

/**
 * Maximum time of executions that outlast the grace period to release their claims, in milliseconds; the process is killed
 * 5 s after the grace period.
 */
const RELEASE_LIMIT_MS = 3_000;

/** Starts work after all modules are initialized and ends it before they are closed. */
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
    @Optional() private readonly reserve?: FairShareReserve,
    @Optional() private readonly backgroundReleases?: BackgroundReleases,
    @Optional() private readonly inlineDeliveries?: InlineDeliverer,
    @Optional() private readonly assignments?: AssignmentIntake,
    @Optional() private readonly leases?: LeaseKeeper,
  ) {
    const checks = { isLive: () => this.isLive, checkReady: () => this.checkReady(), metrics };
    this.health = new HealthServer(checks, (server) => {
      if (presence && this.takenDirectly)
        addAssignmentRoute(server, this.takenDirectly, () => presence.workerId);
    });
  }

  /** False when a restart would help. */
  get isLive(): boolean {
    return this.registrar.isLive && this.connections.isLive;
  }

  /** Resolves if the worker takes jobs and its dependencies answer. */
  async checkReady(): Promise<void> {
    if (!this.hasStarted) throw new Error('the worker is still starting');
    await this.connections.checkReady();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.queue.checkServer();
    if (this.healthPort !== null) {
      const { host } = this.config.http;
      const port = await this.health.listen(host, this.healthPort);
      if (this.takenDirectly) this.presence?.takeAt(ownAddress(host, port));
    }
    await this.presence?.start();
    await this.registrar.start();
    this.reserve?.start();
    this.housekeeper?.start();
    this.connections.start();
    this.hasStarted = true;
  }

  /** Undefined if all executions come from the queue: a worker that takes only some leaves it to its claims to say which. */
  private get takenDirectly(): AssignmentIntake | undefined {
    const { dispatch, worker } = this.config;
    return dispatch.handover === 'direct' && worker.engineRuns === 'any' ? this.assignments : undefined;
  }

  private async withinGrace(ended: Promise<void> | undefined): Promise<void> {
    const wait = new AbortController();
    const grace = pause(systemTimers, this.config.worker.shutdownGraceMs, wait.signal);
    await Promise.race([ended, grace]);
    wait.abort();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.connections.stop();
    const housekeeping = this.housekeeper?.stop();
    const inlineDeliveries = this.inlineDeliveries?.stop(this.config.worker.shutdownGraceMs);
    await Promise.all([this.registrar.stop(), this.withinGrace(this.reserve?.stop()), inlineDeliveries]);
    // An execution that is still held when its worker leaves counts as lost.
    await this.leases?.cutOff(RELEASE_LIMIT_MS);
    await this.backgroundReleases?.settled();
    await housekeeping;
    await this.presence?.stop();
    await this.health.close();
  }
}
