import type { AddressInfo } from 'node:net';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { createPlainServer } from '#libs/http-server';
import { Metrics } from '#libs/observability';
import { API_CONFIG } from '../api.tokens.js';

/**
 * Serves `GET /metrics` on its own port, so that API clients cannot read service metrics and scrapers need no key. Disabled
 * without `METRICS_PORT`.
 */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly server = createPlainServer();

  constructor(
    @Inject(API_CONFIG) private readonly config: AppConfig,
    metrics: Metrics,
  ) {
    this.server.get('/metrics', async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.read()),
    );
  }

  /** Null while the server does not listen. */
  get port(): number | null {
    return (this.server.server.address() as AddressInfo | null)?.port ?? null;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { host, metricsPort } = this.config.http;
    if (metricsPort !== null) await this.server.listen({ host, port: metricsPort });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}
