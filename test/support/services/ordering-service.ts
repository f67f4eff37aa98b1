import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OrderBook, type Entry } from '../../../examples/order-entry/ordering-service/order-book.js';
import { serveOrders } from '../../../examples/order-entry/ordering-service/serve-orders.js';
import { createPatientServer } from './patient-server.js';

export const ORDERING_TOKEN = 'sk-canary-of-the-ordering-service';

/** Handles a request in place of taking the order. */
type Instead = (response: ServerResponse) => void;

/** The ordering service of the example, on the loopback address, with faults for tests. */
export class OrderingServiceUnderTest {
  /** Idempotency keys of the requests, in order. */
  readonly keys: string[] = [];
  /** Handlers of the next requests, one each; later requests take orders. */
  readonly instead: Instead[] = [];
  /** Awaited between the booking of an order and its answer. */
  beforeAnswer: () => Promise<void> = () => Promise.resolve();

  private constructor(
    private readonly front: Server,
    private readonly book: OrderBook,
    private readonly folder: string,
  ) {}

  static async start(): Promise<OrderingServiceUnderTest> {
    const folder = await mkdtemp(join(tmpdir(), 'orders-'));
    const book = await OrderBook.open(join(folder, 'orders.jsonl'));
    const front = createPatientServer();
    const service = new OrderingServiceUnderTest(front, book, folder);
    const orders = serveOrders(book, ORDERING_TOKEN);
    front.on('request', (request, response) => service.take(orders, request, response));
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.front.address() as AddressInfo).port}/orders`;
  }

  get entries(): readonly Entry[] {
    return this.book.entries;
  }

  /** Takes the next order, and loses its answer. */
  losesNextAnswer(): void {
    let isFirst = true;
    this.beforeAnswer = () => {
      if (!isFirst) return Promise.resolve();
      isFirst = false;
      return Promise.reject(new Error('the answer is lost'));
    };
  }

  async close(): Promise<void> {
    this.front.closeAllConnections();
    await new Promise((resolve) => this.front.close(resolve));
    await this.book.close();
    await rm(this.folder, { recursive: true });
  }

  private take(orders: Server, request: IncomingMessage, response: ServerResponse): void {
    this.keys.push(String(request.headers['idempotency-key']));
    const instead = this.instead.shift();
    if (instead !== undefined) return instead(response);
    const end = response.end.bind(response) as (text: string) => ServerResponse;
    response.end = ((text: string) => {
      this.beforeAnswer().then(
        () => end(text),
        () => response.destroy(),
      );
      return response;
    }) as ServerResponse['end'];
    orders.emit('request', request, response);
  }
}
