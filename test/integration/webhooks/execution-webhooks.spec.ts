import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { executionViewSchema, WEBHOOK_EVENT_TYPES } from '#libs/payloads';
import { Webhook } from 'standardwebhooks';
import { WebhookWorld, type Delivery } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
afterEach(() => {
  world.behaviour = (_request, response) => response.writeHead(204).end();
});
afterAll(() => world.close());

/** Requests that the receiver got for a delivery. */
const sent = ({ id }: Delivery) =>
  world.receiver.requests.filter(({ headers }) => headers['webhook-id'] === id);

async function typesSent(executionId: string): Promise<string[]> {
  const { body } = await world.ask(`/api/webhook-deliveries/?execution_id=${executionId}`);
  return (body.data as { type: string }[]).map(({ type }) => type).reverse();
}

function verifies(
  secret: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('the webhook of an execution', () => {
  it('is notified of its end, signed with the secret of the tenant, and listed with every attempt', async () => {
    const { secret } = await world.rotateSigningSecret();
    const url = `${world.receiver.url}?order=7`;
    const delivery = await world.tellOwn({ url, events: ['execution.completed'] });
    expect(delivery).toMatchObject({
      endpoint_id: null,
      url,
      type: 'execution.completed',
      status: 'pending',
      attempts: [],
    });
    world.behaviour = (_request, response) => response.writeHead(500).end();
    await world.attempt(delivery.id);
    world.behaviour = (_request, response) => response.writeHead(204).end();

    expect(await world.attempt(delivery.id)).toMatchObject({
      status: 'delivered',
      attempts: [{ status_code: 500 }, { status_code: 204 }],
    });

    const [first, second] = sent(delivery);
    expect(first).toMatchObject({ path: '/hook?order=7' });
    expect(second?.body).toBe(first?.body);
    const execution = await world.ask(`/api/executions/${delivery.execution_id}/`);
    expect(JSON.parse(first?.body ?? '')).toEqual({
      type: 'execution.completed',
      timestamp: execution.body.finished_at,
      // A webhook does not repeat the request.
      data: executionViewSchema.parse(execution.body),
    });
    for (const request of sent(delivery)) expect(verifies(secret, request)).toBe(true);
  });

  it('is notified beside the endpoints of the tenant', async () => {
    const endpoint = await world.register();
    const executionId = await world.submit();
    await world.run(executionId);
    const { body } = await world.ask(`/api/webhook-deliveries/?execution_id=${executionId}`);
    const reported = (body.data as Delivery[]).map((delivery) => delivery.endpoint_id);
    expect(new Set(reported)).toEqual(new Set([endpoint.id, null]));
    await world.ask(`/api/webhook-endpoints/${endpoint.id}/`, { method: 'DELETE' });
  });

  it.each([
    ['everything unless it says otherwise', undefined, ['execution.cancelled']],
    ['what it asks for', ['execution.failed', 'execution.cancelled'], ['execution.cancelled']],
    ['nothing else', ['execution.completed'], []],
  ])('is notified of %s', async (_name, events, reported) => {
    const executionId = await world.submit({ url: world.receiver.url, events });
    await world.ask(`/api/executions/${executionId}/cancel/`, { method: 'POST' });
    expect(await typesSent(executionId)).toEqual(reported);
    const [row] = await world.dataSource.query<[{ events: string[] }]>(
      'SELECT events FROM execution_webhook WHERE execution_id = $1',
      [executionId],
    );
    expect(row.events).toEqual(events ?? WEBHOOK_EVENT_TYPES);
  });

  it('gets nothing else after an answer 410, until a redelivery', async () => {
    const executionId = await world.park();
    const parked = await world.findOwn(executionId);
    expect(parked.type).toBe('execution.requires_action');
    world.behaviour = (_request, response) => response.writeHead(410).end();
    expect(await world.attempt(parked.id)).toMatchObject({ status: 'exhausted' });

    await world.ask(`/api/executions/${executionId}/cancel/`, { method: 'POST' });
    await world.run(executionId);
    expect(await typesSent(executionId)).toEqual(['execution.requires_action']);

    world.behaviour = (_request, response) => response.writeHead(204).end();
    expect((await world.redeliver(parked.id)).status).toBe(202);
    await world.deliver(parked.id);
    expect(await world.read(parked.id)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  it('after an answer 410 is over for waiting messages, and for no other execution', async () => {
    const executionId = await world.park();
    const parked = await world.findOwn(executionId);
    await world.ask(`/api/executions/${executionId}/cancel/`, { method: 'POST' });
    await world.run(executionId);
    const ended = await world.findOwn(executionId);
    const other = await world.tellOwn();
    world.behaviour = (_request, response) => response.writeHead(410).end();
    await world.attempt(parked.id);
    world.behaviour = (_request, response) => response.writeHead(204).end();

    expect(ended.id).not.toBe(parked.id);
    expect(await world.attempt(ended.id)).toMatchObject({ status: 'exhausted', attempt_count: 0 });
    expect(await world.attempt(other.id)).toMatchObject({ status: 'delivered' });
  });

  it('is kept by a retry of the execution', async () => {
    const webhook = { url: `${world.receiver.url}/again`, events: ['execution.completed'] };
    const { execution_id } = await world.tellOwn(webhook);
    const { body } = await world.ask(`/api/executions/${execution_id}/retry/`, {
      json: { even_if_completed: true },
    });
    await world.run(String(body.id));
    expect(await world.findOwn(String(body.id))).toMatchObject({ url: webhook.url, type: webhook.events[0] });
  });

  it('is one when the request is repeated under its idempotency key', async () => {
    const json = { input: 'hello', webhook: { url: world.receiver.url } };
    const headers = { 'idempotency-key': 'webhook-once' };
    const answers = [];
    for (const _time of [1, 2]) answers.push(await world.ask('/api/agents/1/execute/', { json, headers }));
    const [first, second] = answers.map((answer) => String(answer.body.id));
    expect(second).toBe(first);
    await world.run(first ?? '');
    expect(await typesSent(first ?? '')).toEqual(['execution.completed']);

    const elsewhere = { ...json, webhook: { url: 'https://example.com/elsewhere' } };
    const refused = await world.ask('/api/agents/1/execute/', { json: elsewhere, headers });
    expect(refused.body).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('goes with its execution', async () => {
    const { execution_id } = await world.tellOwn();
    await world.dataSource.query('DELETE FROM execution WHERE id = $1', [execution_id]);
    const left: unknown = await world.dataSource.query(
      'SELECT 1 FROM execution_webhook WHERE execution_id = $1 UNION ALL SELECT 1 FROM webhook_delivery WHERE execution_id = $1',
      [execution_id],
    );
    expect(left).toEqual([]);
  });
});

describe('the secret that signs the webhooks of executions', () => {
  it('is made with the first of them, however many come at once, and signs on for a day beside the next', async () => {
    await world.dataSource.query('DELETE FROM webhook_signing_secret');
    const ids = await Promise.all(Array.from({ length: 10 }, () => world.submit()));
    const secrets: unknown[] = await world.dataSource.query('SELECT 1 FROM webhook_signing_secret');
    expect(secrets).toHaveLength(1);
    await world.run(ids[0] ?? '');
    const delivery = await world.findOwn(ids[0] ?? '');
    world.behaviour = (_request, response) => response.writeHead(500).end();
    await world.attempt(delivery.id);

    const { secret, previous_secret_expires_at } = await world.rotateSigningSecret();
    expect(previous_secret_expires_at).not.toBeNull();
    await world.attempt(delivery.id);

    const [unseen, shown] = sent(delivery);
    expect(unseen?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(shown?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect([unseen, shown].map((request) => request !== undefined && verifies(secret, request))).toEqual([
      false,
      true,
    ]);
  });

  it('stays while webhooks come and signs alone when a day is over', async () => {
    const old = (await world.rotateSigningSecret()).secret;
    const { secret } = await world.rotateSigningSecret();
    const delivery = await world.tellOwn();
    const verifying = async (): Promise<boolean[]> => {
      await world.attempt(delivery.id);
      const last = sent(delivery).at(-1);
      return [old, secret].map((known) => last !== undefined && verifies(known, last));
    };
    world.behaviour = (_request, response) => response.writeHead(500).end();
    expect(await verifying()).toEqual([true, true]);
    await world.dataSource.query(
      `UPDATE webhook_signing_secret SET previous_secret_expires_at = now() - interval '1 second'`,
    );
    expect(await verifying()).toEqual([false, true]);
  });

  it('is another one for every tenant, and opens nowhere else', async () => {
    const delivery = await world.tellOwn();
    await world.dataSource.query(
      `INSERT INTO webhook_signing_secret (tenant_id, secret_sealed) SELECT 'other', secret_sealed FROM webhook_signing_secret`,
    );
    await world.dataSource.query(`UPDATE webhook_delivery SET tenant_id = 'other' WHERE id = $1`, [
      delivery.id,
    ]);
    await world.deliver(delivery.id);
    await world.dataSource.query(`UPDATE webhook_delivery SET tenant_id = 'default' WHERE id = $1`, [
      delivery.id,
    ]);
    expect(sent(delivery)).toEqual([]);
    expect(await world.attempt(delivery.id)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  it('is in no row, log line or answer but the one that shows it', async () => {
    const { secret } = await world.rotateSigningSecret();
    const delivery = await world.tellOwn();
    await world.attempt(delivery.id);
    const answers = [await world.ask(`/api/executions/${delivery.execution_id}/`)];
    for (const path of ['', `${delivery.id}/`])
      answers.push(await world.ask(`/api/webhook-deliveries/${path}`));
    const rows: unknown = await world.dataSource.query(
      `SELECT execution::text, own::text, secret::text, delivery::text FROM execution, execution_webhook own,
              webhook_signing_secret secret, webhook_delivery delivery WHERE execution.id = own.execution_id`,
    );
    const everything = [
      ...answers.map((answer) => answer.text),
      JSON.stringify(rows),
      ...world.api.log,
      ...world.workerLog,
    ].join('\n');
    expect(everything).toContain(delivery.id);
    expect(everything).not.toContain(secret.replace('whsec_', ''));
    expect(everything).not.toContain('whsec_');
    expect(answers.map((answer) => answer.text).join()).not.toContain('v1.k1.');
  });
});
