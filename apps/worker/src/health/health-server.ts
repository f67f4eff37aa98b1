import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { createPlainServer } from '#libs/http-server';
import type { Metrics } from '#libs/observability';

export interface HealthChecks {
  /** Whether the process works; false requests a restart. */
  isLive(): boolean;
  /** Resolves when all dependencies answer. */
  checkReady(): Promise<void>;
  /** Metrics of the process. */
  readonly metrics: Pick<Metrics, 'contentType' | 'read'>;
}

/**
 * Serves `GET /healthz`, `GET /readyz` and `GET /metrics` of the worker for its supervisor, and `POST /executions` for the
 * API where the worker takes executions directly.
 */
export class HealthServer {
  private readonly server = createPlainServer();

  /** @param addRoutes adds routes of other parts of the worker */
  constructor(
    private readonly checks: HealthChecks,
    addRoutes: (server: FastifyInstance) => void = () => undefined,
  ) {
    addRoutes(this.server);
    this.server.get('/healthz', (_request, reply) => answer(reply, this.checks.isLive()));
    this.server.get('/readyz', async (_request, reply) => answer(reply, await this.isReady()));
    this.server.get('/metrics', async (_request, reply) => {
      const { metrics } = this.checks;
      return reply.type(metrics.contentType).send(await metrics.read());
    });
  }

  /** Returns the listening port. */
  async listen(host: string, port: number): Promise<number> {
    await this.server.listen({ host, port });
    return (this.server.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await this.server.close();
  }

  private async isReady(): Promise<boolean> {
    try {
      await this.checks.checkReady();
      return true;
    } catch {
      return false;
    }
  }
}

function answer(reply: FastifyReply, isOk: boolean): FastifyReply {
  return reply.status(isOk ? 200 : 503).send({ status: isOk ? 'ok' : 'unavailable' });
}
