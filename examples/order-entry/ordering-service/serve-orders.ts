import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ORDER, type OrderBook } from './order-book.ts';

const MAX_BYTES = 1_048_576;

/**
 * `POST /orders` with `Idempotency-Key` and a bearer token: 201 with a new order, 200 with the order of a known key, 422 for
 * a key with another order or for an invalid order. `GET /orders` lists orders.
 */
export function serveOrders(book: OrderBook, token: string): Server {
  return createServer((request, response) => {
    answer(book, token, request, response).catch(() => response.destroy());
  });
}

async function answer(
  book: OrderBook,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ServerResponse> {
  const say = (status: number, body: object): ServerResponse =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.url !== '/orders') return say(404, { error: 'there is nothing here' });
  if (request.headers.authorization !== `Bearer ${token}`)
    return say(401, { error: 'no token, or another one' });
  if (request.method === 'GET') return say(200, { orders: book.entries });
  if (request.method !== 'POST') return say(405, { error: 'orders are posted' });
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return say(400, { error: 'Idempotency-Key is missing' });
  const order = ORDER.safeParse(await readJson(request));
  if (!order.success) return say(422, { error: 'this is no order', faults: order.error.issues });
  const entered = await book.enter(key, order.data);
  if (entered.kind === 'reused') return say(422, { error: 'the key stands for another order' });
  return say(entered.kind === 'new' ? 201 : 200, { order_number: entered.entry.order_number });
}

/** Null for invalid JSON or a body above the limit. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
