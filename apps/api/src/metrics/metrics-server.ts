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
 * `GET /metrics` on a port of its own: whoever may use the API sees nothing of the whole service, and who reads metrics
 * needs no key. On none where `METRICS_PORT` is not set.
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

  /** Null while it does not listen. */
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
