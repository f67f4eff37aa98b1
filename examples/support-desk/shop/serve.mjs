// Order service of a small shop, in memory: `node serve.mjs [port]`.
//   GET /orders/{number}   an order; described in shop.openapi.json
//   POST /refunds          refunds an amount, with the bearer token: {"order", "amount", "reason"} → 201 {"receipt"}
//   GET /refunds           all refunds, in order of payment
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const TOKEN = 'shop-token';
const ORDERS = new Map([
  ['A-1001', { number: 'A-1001', item: 'Desk lamp', state: 'delivered', total: '49.90', currency: 'EUR' }],
  [
    'A-1002',
    { number: 'A-1002', item: 'Office chair', state: 'on its way', total: '189.00', currency: 'EUR' },
  ],
]);
const refunds = [];

/** Amount in cents, so that sums are exact; null for an invalid amount. */
const cents = (amount) => (/^\d{1,9}\.\d{2}$/.test(amount ?? '') ? Number(amount.replace('.', '')) : null);

function payBack(asked, key) {
  const order = ORDERS.get(asked.order);
  if (order === undefined) return [404, { error: 'there is no such order' }];
  const paid = refunds.filter((refund) => refund.order === order.number);
  const left = paid.reduce((sum, refund) => sum - cents(refund.amount), cents(order.total));
  const amount = cents(asked.amount);
  if (amount === null || amount === 0 || amount > left) return [422, { error: 'more than is left' }];
  const refund = { receipt: `R-${refunds.length + 1}`, order: order.number, amount: asked.amount, key };
  refunds.push(refund);
  return [201, { receipt: refund.receipt }];
}

async function answer(request) {
  const path = decodeURIComponent((request.url ?? '').split('?')[0]);
  if (request.method === 'GET' && path === '/refunds') return [200, refunds];
  if (request.method === 'POST' && path === '/refunds' && request.headers.authorization !== `Bearer ${TOKEN}`)
    return [401, { error: 'no token' }];
  if (request.method === 'POST' && path === '/refunds')
    return payBack(JSON.parse(await text(request)), request.headers['idempotency-key'] ?? null);
  const order =
    request.method === 'GET' ? ORDERS.get(/^\/orders\/([^/]+)$/.exec(path)?.[1] ?? '') : undefined;
  return order === undefined ? [404, { error: 'there is no such order' }] : [200, order];
}

const shop = createServer((request, response) => {
  answer(request)
    .catch(() => [400, { error: 'the request cannot be read' }])
    .then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
});
shop.listen(Number(process.argv[2] ?? 4020), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${shop.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
