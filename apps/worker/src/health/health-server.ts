import type { AddressInfo } from 'node:net';
import type { FastifyReply } from 'fastify';
import { createPlainServer } from '#libs/http-server';
import type { Metrics } from '#libs/observability';

export interface HealthChecks {
  /** Is the process able to go on? */
  isLive(): boolean;
  /** Resolves when what it depends on answers. */
  checkReady(): Promise<void>;
  /** What the process counts of itself. */
  readonly metrics: Pick<Metrics, 'contentType' | 'read'>;
}

/** `GET /healthz`, `GET /readyz` and `GET /metrics` of the worker, for whoever supervises it. */
export class HealthServer {
  private readonly server = createPlainServer();

  constructor(private readonly checks: HealthChecks) {
    this.server.get('/healthz', (_request, reply) => answer(reply, this.checks.isLive()));
    this.server.get('/readyz', async (_request, reply) => answer(reply, await this.isReady()));
    this.server.get('/metrics', async (_request, reply) => {
      const { metrics } = this.checks;
      return reply.type(metrics.contentType).send(await metrics.read());
    });
  }

  /** Answers the port that it listens on. */
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
