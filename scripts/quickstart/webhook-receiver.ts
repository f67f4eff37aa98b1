import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

const HOST = '127.0.0.1';
const PATH = '/capstan-quickstart';

/** A webhook with a checked signature; the execution id of a refused one is unverified. */
export type Delivery =
  | {
      readonly verdict: 'verified';
      /** Null for a test event. */
      readonly executionId: string | null;
      readonly id: string;
      readonly type: string;
    }
  | { readonly verdict: 'refused'; readonly executionId: string | null; readonly reason: string };

export interface WebhookReceiver {
  readonly url: string;
  /** Sets the secret for checking signatures. */
  readonly trust: (secret: string) => void;
  /** The first matching delivery, past or future; null if none arrives in time. */
  readonly next: (wanted: (delivery: Delivery) => boolean, limitMs: number) => Promise<Delivery | null>;
  readonly close: () => Promise<void>;
}

/**
 * A receiver as a customer would write it: it verifies each signature (Standard Webhooks) over the raw body, and answers
 * 204, or 400 for a wrong signature.
 * @param preferredPort port on 127.0.0.1; if it is in use, the next free one is taken
 */
export async function startWebhookReceiver(preferredPort: number): Promise<WebhookReceiver> {
  let verifier: Webhook | null = null;
  const deliveries: Delivery[] = [];
  const arrivals = new EventTarget();

  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    void text(request).then(
      (body) => {
        const delivery = evaluate(verifier, body, request.headers);
        deliveries.push(delivery);
        arrivals.dispatchEvent(new Event('delivery'));
        response.writeHead(delivery.verdict === 'verified' ? 204 : 400).end();
      },
      () => response.destroy(),
    );
  });
  const port = await listen(server, preferredPort);
  return {
    url: `http://${HOST}:${port}${PATH}`,
    trust: (secret) => {
      verifier = new Webhook(secret);
    },
    next: async (wanted, limitMs) => {
      const signal = AbortSignal.timeout(limitMs);
      for (;;) {
        const found = deliveries.find(wanted);
        if (found !== undefined || signal.aborted) return found ?? null;
        await once(arrivals, 'delivery', { signal }).catch(() => undefined);
      }
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whether the URL is a quickstart's receiver, on any port. */
export function isQuickstartReceiver(url: string): boolean {
  return /^http:\/\/127\.0\.0\.1:\d+\/capstan-quickstart$/u.test(url);
}

/** Whether a server accepts connections at the URL. */
export async function isListening(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch (error) {
    // A slow server still counts as listening.
    return error instanceof Error && error.name === 'TimeoutError';
  }
}

/** Listens on the port or the next free one; a check before listening would race with another quickstart. */
async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen({ port, host: HOST, exclusive: true });
    await once(server, 'listening');
    return port;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port === 65_535) throw error;
    return listen(server, port + 1);
  }
}

const MESSAGE = z.object({ type: z.string(), data: z.object({ id: z.string().optional() }) });

function evaluate(verifier: Webhook | null, body: string, headers: IncomingHttpHeaders): Delivery {
  const header = (name: string): string => headers[name]?.toString() ?? '';
  try {
    if (verifier === null) throw new Error('it came before the endpoint was registered');
    const verified = verifier.verify(body, {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    });
    const { type, data } = MESSAGE.parse(verified);
    return { verdict: 'verified', executionId: data.id ?? null, id: header('webhook-id'), type };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { verdict: 'refused', executionId: claimedExecution(body), reason };
  }
}

function claimedExecution(body: string): string | null {
  try {
    return MESSAGE.parse(JSON.parse(body)).data.id ?? null;
  } catch {
    return null;
  }
}
