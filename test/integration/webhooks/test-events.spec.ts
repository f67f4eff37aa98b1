import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { unwrapWebhook } from '../../../packages/capstan/src/client/unwrap-webhook.js';
import { expectProblem } from '../api/expect-problem.js';
import { WebhookWorld, type Delivery, type EndpointWithSecret } from './webhook-world.js';

const ENDPOINTS = '/api/webhook-endpoints/';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
beforeEach(() => {
  world.behaviour = (_request, response) => response.writeHead(204).end();
});
afterAll(() => world.close());

const test = (endpointId: number) => world.ask(`${ENDPOINTS}${endpointId}/test/`, { method: 'POST' });
const change = (endpointId: number, json: object) =>
  world.ask(`${ENDPOINTS}${endpointId}/`, { method: 'PATCH', json });

async function tested({ id }: EndpointWithSecret): Promise<Delivery> {
  return world.read(String((await test(id)).body.id));
}

async function idsOfTests(endpointId: number): Promise<string[]> {
  const path = `/api/webhook-deliveries/?type=webhook.test&endpoint_id=${endpointId}&limit=100`;
  return ((await world.ask(path)).body.data as { id: string }[]).map(({ id }) => id);
}

const waiting = async () => (await world.take()).map(({ id }) => id);

describe('a test event', () => {
  it('is queued for an endpoint that names other events, and is listed', async () => {
    const endpoint = await world.register({ events: ['execution.failed'] });
    const answer = await test(endpoint.id);
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`/api/webhook-deliveries/${String(answer.body.id)}/`);
    expect(answer.body).toMatchObject({
      ...{ endpoint_id: endpoint.id, execution_id: null, type: 'webhook.test', status: 'pending' },
      ...{ url: endpoint.url, attempt_count: 0, next_attempt_at: answer.body.created_at },
    });
    expect(await idsOfTests(endpoint.id)).toEqual([answer.body.id]);
    expect(await waiting()).toContain(answer.body.id);
  });

  it('is sent with a signature that holds, once more with the same body, and each attempt is recorded', async () => {
    const endpoint = await world.register();
    const delivery = await tested(endpoint);
    world.behaviour = (_request, response) => response.writeHead(500).end();
    await world.attempt(delivery.id);
    world.behaviour = (_request, response) => response.writeHead(204).end();
    await world.redeliver(delivery.id);
    const delivered = await world.attempt(delivery.id);
    expect(delivered).toMatchObject({ status: 'delivered', attempt_count: 2 });
    expect(delivered.attempts.map(({ status_code }) => status_code)).toEqual([500, 204]);

    const [first, second] = world.receiver.requests.filter(
      ({ headers }) => headers['webhook-id'] === delivery.id,
    );
    expect(second?.body).toBe(first?.body);
    const event = await unwrapWebhook(second?.body ?? '', second?.headers ?? {}, endpoint.secret);
    expect(event).toEqual({
      type: 'webhook.test',
      timestamp: delivery.created_at,
      data: { endpoint_id: endpoint.id },
    });
  });

  it('goes to one endpoint only, and ends a pause of it', async () => {
    const [paused, other] = [await world.register(), await world.register()];
    await world.dataSource.query(
      `INSERT INTO webhook_breaker (tenant_id, receiver, consecutive_failures, paused_until)
       VALUES ('default', 'endpoint:' || $1::int, 10, now() + interval '15 minutes')`,
      [paused.id],
    );
    const delivery = await tested(paused);
    expect(await waiting()).toContain(delivery.id);
    expect(await idsOfTests(other.id)).toEqual([]);
  });

  it('replaces the oldest of twenty', async () => {
    const [endpoint, other] = [await world.register(), await world.register()];
    const kept = await tested(other);
    const ids: string[] = [];
    for (let count = 0; count < 21; count += 1) ids.push((await tested(endpoint)).id);
    expect((await idsOfTests(endpoint.id)).sort()).toEqual(ids.slice(1).sort());
    expect(await idsOfTests(other.id)).toEqual([kept.id]);
  });

  it('is refused for an endpoint that is not active, and for one that is not there', async () => {
    const { id } = await world.register();
    await change(id, { is_active: false });
    expectProblem(await test(id), {
      ...{ status: 409, code: 'WEBHOOK_ENDPOINT_DISABLED' },
      detail: 'The webhook endpoint is not active; set its is_active to true first',
    });
    const missing = { status: 404, code: 'NOT_FOUND', detail: 'Webhook endpoint not found' };
    expectProblem(await test(2_000_000_000), missing);
    await world.dataSource.query(
      `UPDATE webhook_endpoint SET tenant_id = 'other', is_active = true WHERE id = $1`,
      [id],
    );
    expectProblem(await test(id), missing);
    expect(await idsOfTests(id)).toEqual([]);
  });
});
