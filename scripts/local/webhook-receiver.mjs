import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const PATH = '/capstan-quickstart';
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * A webhook whose signature was checked. Of a refused one the execution is only what it claims.
 * @typedef {{verdict: 'verified', executionId: string, id: string, type: string}
 *   | {verdict: 'refused', executionId: string | null, reason: string}} Delivery
 */

/**
 * @typedef {object} WebhookReceiver
 * @property {string} url
 * @property {(secret: string) => void} trust the secret to check signatures with
 * @property {(wanted: (delivery: Delivery) => boolean, limitMs: number) => Promise<Delivery | null>} next the first
 *   delivery, past or to come, that is wanted; null when none came in time
 * @property {() => Promise<void>} close
 */

/**
 * A receiver as a customer would write one: it checks the signature of each delivery (Standard Webhooks) over the raw
 * body and answers 204, or 400 when the signature is wrong.
 * @param {number} preferredPort on 127.0.0.1; the next free one is taken when it is in use
 * @returns {Promise<WebhookReceiver>}
 */
export async function startWebhookReceiver(preferredPort) {
  /** @type {Webhook | null} */
  let verifier = null;
  /** @type {Delivery[]} */
  const deliveries = [];
  /** @type {Set<() => void>} */
  const waiting = new Set();

  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    readBody(request).then(
      (body) => {
        const delivery = judge(verifier, body, request.headers);
        deliveries.push(delivery);
        for (const wake of waiting) wake();
        response.writeHead(delivery.verdict === 'verified' ? 204 : 400).end();
      },
      () => {
        response.writeHead(413).end();
      },
    );
  });
  const port = await listen(server, preferredPort);
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    trust: (secret) => {
      verifier = new Webhook(secret);
    },
    next: (wanted, limitMs) => firstDelivery({ deliveries, waiting, wanted, limitMs }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @param {import('node:http').Server} server @param {number} port @returns {Promise<number>} */
async function listen(server, port) {
  try {
    await new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
        server.off('error', reject);
        resolve(undefined);
      });
    });
    return port;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE' || port === 65_535) throw error;
    return listen(server, port + 1);
  }
}

/**
 * Whether an endpoint was registered by a quickstart, on whatever port.
 * @param {string} url
 */
export function isQuickstartReceiver(url) {
  return /^http:\/\/127\.0\.0\.1:\d+\/capstan-quickstart$/u.test(url);
}

/**
 * @param {Webhook | null} verifier
 * @param {string} body
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @returns {Delivery}
 */
function judge(verifier, body, headers) {
  const text = (/** @type {string} */ name) => String(headers[name] ?? '');
  try {
    if (verifier === null) throw new Error('it came before the endpoint was registered');
    /** @type {any} */
    const message = verifier.verify(body, {
      'webhook-id': text('webhook-id'),
      'webhook-timestamp': text('webhook-timestamp'),
      'webhook-signature': text('webhook-signature'),
    });
    const executionId = String(message.data.id);
    return { verdict: 'verified', executionId, id: text('webhook-id'), type: String(message.type) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { verdict: 'refused', executionId: claimedExecution(body), reason };
  }
}

/** @param {string} body @returns {string | null} */
function claimedExecution(body) {
  try {
    return String(JSON.parse(body).data.id);
  } catch {
    return null;
  }
}

/**
 * @param {object} options
 * @param {Delivery[]} options.deliveries
 * @param {Set<() => void>} options.waiting
 * @param {(delivery: Delivery) => boolean} options.wanted
 * @param {number} options.limitMs
 * @returns {Promise<Delivery | null>}
 */
function firstDelivery({ deliveries, waiting, wanted, limitMs }) {
  return new Promise((resolve) => {
    const answer = (/** @type {Delivery | null} */ delivery) => {
      clearTimeout(timer);
      waiting.delete(look);
      resolve(delivery);
    };
    const look = () => {
      const found = deliveries.find(wanted);
      if (found !== undefined) answer(found);
    };
    const timer = setTimeout(() => answer(null), limitMs);
    waiting.add(look);
    look();
  });
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<string>} */
async function readBody(request) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
