import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HealthChecks {
  /** Is the process able to go on? */
  isLive(): boolean;
  /** Resolves when what it depends on answers. */
  checkReady(): Promise<void>;
}

/** `GET /healthz` and `GET /readyz` of the worker, for whoever supervises it. */
export class HealthServer {
  private readonly server: Server;

  constructor(private readonly checks: HealthChecks) {
    this.server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://worker').pathname.replace(/\/$/, '');
      if (path === '/healthz') return this.answer(response, this.checks.isLive());
      if (path === '/readyz') return void this.answerReady(response);
      response.writeHead(404).end();
    });
  }

  /** Answers the port that it listens on. */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answerReady(response: ServerResponse): Promise<void> {
    try {
      await this.checks.checkReady();
      this.answer(response, true);
    } catch {
      this.answer(response, false);
    }
  }

  private answer(response: ServerResponse, isOk: boolean): void {
    response.writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: isOk ? 'ok' : 'unavailable' }));
  }
}
