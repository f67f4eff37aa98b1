// A small ordering service that accepts each order once, even if a client sends it several times.
//   npm run example -- ordering-service [port] [file]
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { OrderBook } from './order-book.ts';
import { serveOrders } from './serve-orders.ts';

const { ORDERING_TOKEN = 'ordering-token' } = process.env;
const [, , port = '4020', file = join(tmpdir(), `orders-${port}.jsonl`)] = process.argv;

const book = await OrderBook.open(file);
const server = serveOrders(book, ORDERING_TOKEN);
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`);
});
process.on('SIGTERM', () => {
  server.close(() => void book.close());
  server.closeAllConnections();
});
