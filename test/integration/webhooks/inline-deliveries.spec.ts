import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { waitFor } from '../../support/services/wait-for.js';
import { answering, InlineWorld, FREE, heldBy } from './inline-world.js';
import { RECEIVER_CONCURRENCY } from './webhook-world.js';

let world: InlineWorld;
beforeAll(async () => {
  world = await InlineWorld.open();
});
beforeEach(() => world.begin());
afterAll(() => world.close());

describe('a delivery', () => {
  it('is sent by the worker that makes it, with neither a job nor a claim', async () => {
    const held = world.holding();
    const delivery = await world.notify();
    expect(delivery).toMatchObject({ status: 'pending', attempt_count: 1 });
    expect(await world.holdOf(delivery)).toEqual(heldBy('a-worker'));
    expect(await world.webhooks.take()).toEqual([]);
    await waitFor(() => held.length === 1, { description: 'the request' });
    expect(world.worker.underWay).toBe(1);
    held[0]?.writeHead(200).end();
    await world.ended(delivery);
    expect(await world.read(delivery)).toMatchObject({
      status: 'delivered',
      attempt_count: 1,
      attempts: [{ number: 1, status_code: 200, error: null }],
    });
    expect(await world.holdOf(delivery)).toEqual(FREE);
    await waitFor(() => world.worker.underWay === 0, { description: 'the end of the work' });
  });

  it('goes to each endpoint of its tenant, and to the webhook of the execution', async () => {
    await world.webhooks.register();
    await world.webhooks.register();
    const executionId = await world.webhooks.submit();
    await world.worker.run(executionId);
    const statuses = () =>
      world.query('SELECT status, endpoint_id IS NULL AS is_own FROM webhook_delivery ORDER BY 2');
    const all = [false, false, true].map((is_own) => ({ status: 'delivered', is_own }));
    await world.worker.inlineDeliveries.stop(60_000);
    expect(await statuses()).toEqual(all);
  });

  it('is signed with both secrets while one replaces the other', async () => {
    const old = (await world.webhooks.rotateSigningSecret()).secret;
    const { secret } = await world.webhooks.rotateSigningSecret();
    const delivery = await world.notify();
    await world.ended(delivery);
    const request = world.webhooks.receiver.requests.find(
      ({ headers }) => headers['webhook-id'] === delivery.id,
    );
    for (const known of [old, secret])
      expect(() => new Webhook(known).verify(request?.body ?? '', request?.headers ?? {})).not.toThrow();
  });

  it('is retried by the schedule after a failure, and counted against its receiver', async () => {
    world.webhooks.behaviour = answering(500);
    const delivery = await world.notify();
    await world.released(delivery);
    expect(await world.read(delivery)).toMatchObject({
      status: 'pending',
      attempt_count: 1,
      attempts: [{ number: 1, status_code: 500 }],
    });
    const [row] = await world.query<{ seconds: number }>(
      `SELECT ceil(extract(epoch FROM next_attempt_at - now()))::int AS seconds FROM webhook_delivery WHERE id = $1`,
      [delivery.id],
    );
    expect(row?.seconds).toBeGreaterThan(0);
    expect(row?.seconds).toBeLessThanOrEqual(5);
    expect(await world.query('SELECT consecutive_failures AS n FROM webhook_breaker')).toEqual([{ n: 1 }]);
    world.webhooks.behaviour = answering(200);
    expect(await world.webhooks.attempt(delivery.id)).toMatchObject({
      status: 'delivered',
      attempt_count: 2,
    });
    expect(await world.query('SELECT 1 FROM webhook_breaker')).toEqual([]);
    const bodies = world.webhooks.receiver.requests.filter(
      ({ headers }) => headers['webhook-id'] === delivery.id,
    );
    expect(bodies).toHaveLength(2);
    expect(new Set(bodies.map(({ body }) => body)).size).toBe(1);
  });

  it('is the last one of its endpoint after an answer 410', async () => {
    const endpoint = await world.webhooks.register();
    world.webhooks.behaviour = answering(410);
    const executionId = await world.webhooks.submit({
      url: world.webhooks.receiver.url,
      events: ['execution.failed'],
    });
    await world.worker.run(executionId);
    const isActive = async () =>
      (await world.webhooks.ask(`/api/webhook-endpoints/${endpoint.id}/`)).body.is_active as boolean;
    await waitFor(async () => !(await isActive()), { description: 'the endpoint to be disabled' });
  });

  it('is sent once where the transaction that makes it has to be repeated', async () => {
    const executionId = await world.webhooks.submit();
    let tries = 0;
    await world.worker.run(executionId, () => {
      tries += 1;
      if (tries === 1) throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });
    const delivery = await world.webhooks.findOwn(executionId);
    await world.ended(delivery);
    expect(tries).toBe(2);
    expect(world.idsSent(executionId)).toEqual([delivery.id]);
  });

  it('is sent where the answer of the commit was lost, by a worker that knows its share', async () => {
    await world.ended(await world.notify());
    const executionId = await world.webhooks.submit();
    await world.worker.run(executionId, ({ queryRunner }) => {
      if (!queryRunner) throw new Error('a transaction has a query runner');
      const commit = queryRunner.commitTransaction.bind(queryRunner);
      queryRunner.commitTransaction = async () => {
        await commit();
        throw new Error('Connection terminated unexpectedly');
      };
    });
    await world.ended(await world.webhooks.findOwn(executionId));
  });

  it('is not sent where nothing of its transaction is there', async () => {
    const executionId = await world.webhooks.submit();
    const refuse = (): void => {
      throw new Error('this ending is refused');
    };
    await expect(world.worker.run(executionId, refuse)).rejects.toThrow('this ending is refused');
    // The send slot that was reserved for the delivery is free again, so the stop does not wait for it.
    await world.worker.inlineDeliveries.stop(60_000);
    expect(world.idsSent(executionId)).toEqual([]);
  });
});

describe('a worker that stops', () => {
  it('ends what is under way, gives up what is in line, and begins nothing more', async () => {
    const held = world.holding();
    const sent = [];
    for (let count = 0; count < RECEIVER_CONCURRENCY; count += 1) sent.push(await world.notify());
    const inLine = await world.notify();
    await waitFor(() => held.length === RECEIVER_CONCURRENCY, { description: 'the requests' });

    let hasStopped = false;
    const stopping = world.worker.inlineDeliveries.stop(60_000).then(() => (hasStopped = true));
    await world.released(inLine);
    expect(await world.read(inLine)).toMatchObject({ status: 'pending', attempt_count: 0 });
    expect((await world.notify()).attempt_count).toBe(0);
    expect(hasStopped).toBe(false);

    for (const response of held) response.writeHead(204).end();
    await stopping;
    for (const delivery of sent) expect(await world.read(delivery)).toMatchObject({ status: 'delivered' });
  });

  it('waits no longer than its grace', async () => {
    const held = world.holding();
    const delivery = await world.notify();
    await waitFor(() => held.length === 1, { description: 'the request' });
    await world.worker.inlineDeliveries.stop(1);
    expect(await world.holdOf(delivery)).toEqual(heldBy('a-worker'));
    held[0]?.writeHead(204).end();
    await world.ended(delivery);
  });
});
