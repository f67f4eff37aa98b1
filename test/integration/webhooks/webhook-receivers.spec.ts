import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { forgetIdleReceivers, WebhookDeliveryStore } from '#libs/persistence';
import { waitFor } from '../../support/services/wait-for.js';
import type { Behaviour } from './receiver.js';
import { RECEIVER_CONCURRENCY, WebhookWorld, type Delivery } from './webhook-world.js';

const FAILURE_THRESHOLD = 10;

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
beforeEach(async () => {
  world.behaviour = answering(204);
  for (const table of ['webhook_endpoint', 'execution_webhook', 'webhook_delivery', 'webhook_breaker'])
    await world.dataSource.query(`DELETE FROM ${table}`);
});
afterAll(() => world.close());

const answering =
  (status: number): Behaviour =>
  (_request, response) =>
    response.writeHead(status).end();

/** Creates `count` due deliveries to one new endpoint. */
async function queued(count: number): Promise<{ endpointId: number; ids: string[]; first: Delivery }> {
  const endpoint = await world.register();
  const first = await world.notify(endpoint.id);
  return { endpointId: endpoint.id, first, ids: [first.id, ...(await world.copy(first, count - 1))] };
}

/** Creates deliveries to one new endpoint, and lets `failures` of them fail one after the other. */
async function failed(failures: number, more: number) {
  const { ids, ...rest } = await queued(failures + more);
  world.behaviour = answering(500);
  for (const id of ids.slice(0, failures)) await world.deliver(id);
  return { ...rest, failed: ids.slice(0, failures), ids: ids.slice(failures) };
}

const idsTaken = async (...limits: number[]) => (await world.take(...limits)).map((due) => due.id);
const attemptsOf = async (ids: readonly string[]) =>
  (await Promise.all(ids.map((id) => world.read(id)))).map((delivery) => delivery.attempt_count);
const pausedUntil = async (endpointId: number): Promise<unknown> =>
  (await world.ask(`/api/webhook-endpoints/${endpointId}/`)).body.paused_until;

interface Breaker {
  readonly failures: number;
  readonly seconds: number | null;
}
async function breakers(): Promise<Breaker[]> {
  return world.dataSource.query<Breaker[]>(
    `SELECT consecutive_failures AS failures, round(extract(epoch FROM paused_until - now()))::int AS seconds
       FROM webhook_breaker ORDER BY receiver`,
  );
}

describe('a receiver', () => {
  it('gets four requests at once and no more; what has to wait costs no attempt', async () => {
    const { ids } = await queued(2 * RECEIVER_CONCURRENCY);
    const held: ServerResponse[] = [];
    world.behaviour = (_request, response) => void held.push(response);
    const ended: string[] = [];
    const endedBefore = world.ended;
    const delivering = ids.map((id) => world.deliver(id).then(() => ended.push(id)));
    await waitFor(() => held.length + ended.length === ids.length, {
      description: 'all to be sent or held back',
    });
    expect(held).toHaveLength(RECEIVER_CONCURRENCY);
    expect(await attemptsOf(ended)).toEqual(ended.map(() => 0));

    for (const response of held) response.writeHead(204).end();
    const waiting = [...ended];
    await Promise.all(delivering);
    expect(world.ended - endedBefore).toBe(RECEIVER_CONCURRENCY);

    world.behaviour = answering(204);
    for (const id of waiting) await world.deliver(id);
    expect(await attemptsOf(ids)).toEqual(ids.map(() => 1));
  });

  it('has room again when the workers that called it have died', async () => {
    const { ids } = await queued(RECEIVER_CONCURRENCY + 1);
    const store = new WebhookDeliveryStore(world.dataSource);
    const claim = (id: string) =>
      store.claim(id, { sender: 'a-worker', leaseMs: 60_000, receiverConcurrency: RECEIVER_CONCURRENCY });
    const [last = '', ...others] = ids.toReversed();
    for (const id of others) expect(await claim(id)).not.toBeNull();
    expect(await claim(last)).toBeNull();
    await world.dataSource.query(
      `UPDATE webhook_delivery SET lease_expires_at = now() - interval '1 s', dispatched_at = now() - interval '1 min'
        WHERE lease_expires_at > now()`,
    );
    expect(await claim(last)).toMatchObject({ attempt: 1 });
  });

  it('keeps its room taken while a redelivery is asked for during a request', async () => {
    const { ids } = await queued(RECEIVER_CONCURRENCY + 1);
    const store = new WebhookDeliveryStore(world.dataSource);
    const options = { sender: 'a-worker', leaseMs: 60_000, receiverConcurrency: RECEIVER_CONCURRENCY };
    const [last = '', ...others] = ids.toReversed();
    for (const id of others) await store.claim(id, options);
    expect((await world.redeliver(others[0] ?? '')).status).toBe(202);
    expect(await store.claim(last, options)).toBeNull();
  });
});

describe('the next messages', () => {
  it('is of each receiver as much as it has room for, the oldest first', async () => {
    const slow = await queued(6);
    const other = await queued(1);
    const taken = await idsTaken();
    expect(new Set(taken)).toEqual(new Set([...slow.ids.slice(1, 1 + RECEIVER_CONCURRENCY), ...other.ids]));
    expect(await idsTaken()).toEqual([]);
    await world.deliver(slow.ids[1] ?? '');
    expect(await idsTaken()).toEqual([slow.ids[5]]);
  });

  it('is what got lost on its way, after a while', async () => {
    const { ids } = await queued(1);
    expect(await idsTaken()).toEqual(ids);
    await world.dataSource.query(`UPDATE webhook_delivery SET dispatched_at = now() - interval '29 s'`);
    expect(await idsTaken()).toEqual([]);
    await world.dataSource.query(`UPDATE webhook_delivery SET dispatched_at = now() - interval '31 s'`);
    expect(await idsTaken()).toEqual(ids);
  });

  it('is one of each tenant before it is two of any, however old those are', async () => {
    const crowd = [await queued(3), await queued(3), await queued(3)];
    const { first } = await queued(1);
    const [late] = await world.copy(first, 1, 'other');
    await world.dataSource.query('UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = $1', [late]);
    const taken = await idsTaken(2);
    expect(taken).toHaveLength(2);
    expect(taken).toContain(late);
    expect(crowd.flatMap(({ ids }) => ids)).toEqual(
      expect.arrayContaining(taken.filter((id) => id !== late)),
    );
  });

  it('is one of each receiver of a tenant before it is two of any', async () => {
    const many = await queued(3);
    const few = await queued(1);
    const taken = await idsTaken(2);
    expect(taken).toHaveLength(2);
    expect(taken).toEqual(expect.arrayContaining([many.ids[1], ...few.ids]));
  });

  it('is of one tenant no more than its share, and of another one what it has', async () => {
    const crowd = [await queued(2), await queued(2), await queued(2)];
    const { first } = await queued(1);
    await world.dataSource.query('DELETE FROM webhook_endpoint WHERE id <> ALL($1)', [
      [...crowd.map(({ endpointId }) => endpointId), first.endpoint_id],
    ]);
    const [other] = await world.copy(first, 1, 'other');
    await world.dataSource.query('DELETE FROM webhook_delivery WHERE id = $1', [first.id]);
    const taken = await idsTaken(100, 3);
    expect(taken).toHaveLength(4);
    expect(taken).toContain(other);
    expect(await idsTaken(100, 3)).toEqual([]);
  });

  it('is no more than keeps the queue short', async () => {
    await queued(3);
    await queued(3);
    expect(await idsTaken(4)).toHaveLength(4);
    expect(await idsTaken(4)).toEqual([]);
    expect(await idsTaken(5)).toHaveLength(1);
  });
});

describe('a receiver that fails', () => {
  it('is paused after ten failures in a row, without counting attempts during the pause', async () => {
    const { endpointId, ids } = await failed(FAILURE_THRESHOLD - 1, 2);
    expect(await pausedUntil(endpointId)).toBeNull();
    await world.deliver(ids[0] ?? '');
    const until = await pausedUntil(endpointId);
    expect(await breakers()).toEqual([{ failures: FAILURE_THRESHOLD, seconds: 30 }]);

    const requests = world.receiver.requests.length;
    await world.deliver(ids[1] ?? '');
    expect(world.receiver.requests).toHaveLength(requests);
    expect(await idsTaken()).toEqual([]);
    expect(await world.read(ids[1] ?? '')).toMatchObject({
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: until,
    });
  });

  it('is tried with one request after the pause, and paused for twice as long when that fails', async () => {
    const { ids } = await failed(FAILURE_THRESHOLD, 3);
    await world.endPauses();
    expect(await idsTaken()).toEqual([ids[0]]);
    await Promise.all(ids.map((id) => world.deliver(id)));
    expect((await attemptsOf(ids)).toSorted()).toEqual([0, 0, 1]);
    expect(await breakers()).toEqual([{ failures: FAILURE_THRESHOLD + 1, seconds: 60 }]);
  });

  it('gets everything when it works again', async () => {
    const { endpointId, ids } = await failed(FAILURE_THRESHOLD, 3);
    await world.endPauses();
    world.behaviour = answering(204);
    await world.deliver(ids[0] ?? '');
    expect(await breakers()).toEqual([]);
    expect(await pausedUntil(endpointId)).toBeNull();
    expect(await idsTaken()).toEqual(ids.slice(1));
  });

  it('now and then is not paused', async () => {
    const { ids } = await failed(FAILURE_THRESHOLD - 1, FAILURE_THRESHOLD);
    const [good = '', ...bad] = ids;
    world.behaviour = answering(204);
    await world.deliver(good);
    world.behaviour = answering(500);
    for (const id of bad) await world.deliver(id);
    expect(await breakers()).toEqual([{ failures: FAILURE_THRESHOLD - 1, seconds: null }]);
  });

  it('is paused once by requests that were on their way together', async () => {
    const { ids } = await failed(FAILURE_THRESHOLD - 2, RECEIVER_CONCURRENCY);
    const held: ServerResponse[] = [];
    world.behaviour = (_request, response) => void held.push(response);
    const delivering = ids.map((id) => world.deliver(id));
    await waitFor(() => held.length === RECEIVER_CONCURRENCY, { description: 'four requests' });
    for (const response of held) response.writeHead(500).end();
    await Promise.all(delivering);
    expect(await breakers()).toEqual([{ failures: FAILURE_THRESHOLD, seconds: 30 }]);
  });

  it.each<[string, (endpointId: number, url: string) => object]>([
    ['a new URL', (_id, url) => ({ url: `${url}/new` })],
    ['being made active', () => ({ is_active: true })],
  ])('starts afresh with %s', async (_name, change) => {
    const { endpointId } = await failed(FAILURE_THRESHOLD, 1);
    const json = change(endpointId, world.receiver.url);
    const { body } = await world.ask(`/api/webhook-endpoints/${endpointId}/`, { method: 'PATCH', json });
    expect(body).toMatchObject({ ...json, paused_until: null });
    expect(await breakers()).toEqual([]);
  });

  it('stays paused when other events are asked for', async () => {
    const { endpointId } = await failed(FAILURE_THRESHOLD, 1);
    const json = { events: ['execution.completed'] };
    const { body } = await world.ask(`/api/webhook-endpoints/${endpointId}/`, { method: 'PATCH', json });
    expect(body.paused_until).not.toBeNull();
  });

  it('is tried at once after a redelivery', async () => {
    const { failed: old } = await failed(FAILURE_THRESHOLD, 0);
    expect((await world.redeliver(old[0] ?? '')).status).toBe(202);
    expect(await idsTaken()).toEqual([old[0]]);
    await world.deliver(old[0] ?? '');
    expect(await breakers()).toEqual([{ failures: FAILURE_THRESHOLD + 1, seconds: 60 }]);
  });

  it('is not charged for messages that could not be signed', async () => {
    const { ids } = await queued(FAILURE_THRESHOLD);
    for (const id of ids) await world.attempt(id, null);
    expect(await breakers()).toEqual([]);
  });

  it('pauses nothing but itself: neither another endpoint with its URL nor another tenant', async () => {
    const { first } = await failed(FAILURE_THRESHOLD, 1);
    const neighbour = await queued(1);
    const [foreign] = await world.copy(first, 1, 'other');
    expect(new Set(await idsTaken())).toEqual(new Set([...neighbour.ids, foreign]));
  });

  it('is forgotten when nothing is to be sent to it any more', async () => {
    const { endpointId } = await failed(FAILURE_THRESHOLD, 1);
    await forgetIdleReceivers(world.dataSource);
    expect(await breakers()).toHaveLength(1);
    await world.ask(`/api/webhook-endpoints/${endpointId}/`, { method: 'DELETE' });
    await forgetIdleReceivers(world.dataSource);
    expect(await breakers()).toEqual([]);
  });
});

describe('the webhooks of executions', () => {
  it('share the failures of a server, over all paths', async () => {
    world.behaviour = answering(500);
    const path = (name: string) => ({ url: `${world.receiver.url}/${name}` });
    const first = await world.tellOwn(path('first'));
    for (const id of [first.id, ...(await world.copy(first, FAILURE_THRESHOLD - 1))]) await world.deliver(id);
    const same = await world.tellOwn(path('second'));
    const elsewhere = await world.tellOwn({ url: 'http://127.0.0.1:1/hook' });
    expect(await idsTaken()).toEqual([elsewhere.id]);
    expect(await world.read(same.id)).toMatchObject({ status: 'pending', attempt_count: 0 });
  });
});
