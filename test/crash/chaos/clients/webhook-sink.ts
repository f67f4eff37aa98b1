import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { ObservedEnding, ReceivedWebhook } from '../ledgers/chaos-world.js';
import type { SeededRandom } from '../plan/seeded-random.js';
import { readBody } from './read-body.js';
import { createPatientServer } from '../../../support/services/patient-server.js';

const FAILS_ONCE = 0.03;
const HANGS_ONCE = 0.01;
/**
 * Only a fresh delivery is refused: the second attempt comes after 5 s, but the third only after 5 minutes, which is longer
 * than a run waits.
 */
const FRESH_MS = 3_000;

/**
 * The webhook endpoints of all tenants, at `<url>/<tenant>`: records and verifies each delivery, and refuses some first
 * attempts.
 */
export class WebhookSink {
  readonly received: ReceivedWebhook[] = [];
  private readonly secrets = new Map<string, string>();
  private readonly seen = new Set<string>();

  private constructor(
    private readonly server: Server,
    private readonly random: SeededRandom,
  ) {}

  static async listen(random: SeededRandom): Promise<WebhookSink> {
    const server = createPatientServer();
    const sink = new WebhookSink(server, random);
    server.on('request', (request, response) => {
      void readBody(request).then((body) => {
        const tenantId = (request.url ?? '').slice(1);
        const status = sink.take(tenantId, request.headers as Record<string, string>, body);
        // Without an answer the sender waits until its own timeout.
        if (status !== null) response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  urlOf(tenantId: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${tenantId}`;
  }

  /** The secret that the service named for the tenant's endpoint. */
  expect(tenantId: string, secret: string): void {
    this.secrets.set(tenantId, secret);
  }

  endings(): ObservedEnding[] {
    return this.received.map(({ body }) => {
      const { data } = JSON.parse(body) as { data: { id: string; status: string } };
      return { executionId: data.id, status: data.status, source: 'webhook' };
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(tenantId: string, headers: Record<string, string>, body: string): number | null {
    const id = headers['webhook-id'] ?? '';
    const isFirst = !this.seen.has(id);
    this.seen.add(id);
    const mayFail = isFirst && isFresh(body);
    const hangs = mayFail && this.random.chance(HANGS_ONCE);
    const refuses = mayFail && this.random.chance(FAILS_ONCE);
    const answeredWith = hangs ? null : refuses ? 500 : 204;
    const isSignatureValid = this.verifies(tenantId, headers, body);
    this.received.push({ id, tenantId, body, isSignatureValid, answeredWith });
    return answeredWith;
  }

  private verifies(tenantId: string, headers: Record<string, string>, body: string): boolean {
    try {
      new Webhook(this.secrets.get(tenantId) ?? '').verify(body, headers);
      return true;
    } catch {
      return false;
    }
  }
}

function isFresh(body: string): boolean {
  const { timestamp } = JSON.parse(body) as { timestamp: string };
  return Date.now() - Date.parse(timestamp) < FRESH_MS;
}
