import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WorkerPresence } from '#libs/persistence';
import { presentName } from '../../../apps/worker/src/presence/presence.module.js';
import { expectProblem } from '../api/expect-problem.js';
import type { Behaviour } from './receiver.js';
import { WebhookWorld, type Delivery } from './webhook-world.js';

const DISABLED = {
  status: 409,
  code: 'WEBHOOK_ENDPOINT_DISABLED',
  detail: 'The webhook endpoint is not active; set its is_active to true first',
};
const ATTEMPTS = 10;
/** Timers and clocks that stay real while a test fakes `Date` only. */
const EVERYTHING_BUT_DATE = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...([
    'setImmediate',
    'clearImmediate',
    'setInterval',
    'clearInterval',
    'setTimeout',
    'clearTimeout',
  ] as const),
];

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
beforeEach(() => {
  world.behaviour = answering(204);
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => world.close());

const answering =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    response.writeHead(status, headers).end();

async function newDelivery(): Promise<Delivery> {
  return world.notify((await world.register()).id);
}

async function exhaust(delivery: Delivery): Promise<Delivery> {
  world.behaviour = answering(500);
  for (let number = 1; number < ATTEMPTS; number += 1) await world.attempt(delivery.id);
  const exhausted = await world.attempt(delivery.id);
  world.behaviour = answering(204);
  return exhausted;
}

/** Requests that the receiver got for a delivery: bodies and ids. */
function sent({ id }: Delivery): { id: string | undefined; body: string }[] {
  return world.receiver.requests
    .map(({ headers, body }) => ({ id: headers['webhook-id'], body }))
    .filter((request) => request.id === id);
}

/** Seconds until the next attempt, by the clock of the database. */
async function secondsUntilNext({ id }: Delivery): Promise<number> {
  const [row] = await world.dataSource.query<[{ seconds: string }]>(
    `SELECT round(extract(epoch FROM next_attempt_at - now())) AS seconds FROM webhook_delivery WHERE id = $1`,
    [id],
  );
  return Number(row.seconds);
}

const setActive = (endpointId: number, is_active: boolean) =>
  world.ask(`/api/webhook-endpoints/${endpointId}/`, { method: 'PATCH', json: { is_active } });

describe('a delivery', () => {
  it('shows every attempt (W1)', async () => {
    const delivery = await newDelivery();
    expect(delivery).toMatchObject({ status: 'pending', attempt_count: 0, delivered_at: null, attempts: [] });
    world.behaviour = (request) => request.socket.destroy();
    await world.attempt(delivery.id);
    world.behaviour = answering(500);
    await world.attempt(delivery.id);
    world.behaviour = answering(200);

    const delivered = await world.attempt(delivery.id);

    expect(delivered).toMatchObject({ status: 'delivered', attempt_count: 3, next_attempt_at: null });
    expect(delivered.delivered_at).not.toBeNull();
    expect(
      delivered.attempts.map(({ number, status_code, error }) => ({ number, status_code, error })),
    ).toEqual([
      { number: 1, status_code: null, error: 'connection_failed' },
      { number: 2, status_code: 500, error: null },
      { number: 3, status_code: 200, error: null },
    ]);
    expect(delivered.attempts.map(({ answer }) => answer)).toEqual([null, null, null]);
    const timestamps = world.receiver.requests
      .filter(({ headers }) => headers['webhook-id'] === delivery.id)
      .map(({ headers }) => Number(headers['webhook-timestamp']));
    const attemptedAt = delivered.attempts.map((attempt) =>
      Math.floor(Date.parse(attempt.attempted_at) / 1_000),
    );
    expect(attemptedAt).toEqual(timestamps);
    expect(new Set(sent(delivery).map((request) => request.body)).size).toBe(1);
  });

  it('is timed by the clock of the database, independent of the clocks of API and worker (K2)', async () => {
    const endpoint = await world.register();
    const clock = async (): Promise<number> => {
      const [row] = await world.dataSource.query<[{ now: string }]>(
        'SELECT floor(extract(epoch FROM clock_timestamp())) AS now',
      );
      return Number(row.now);
    };
    const before = await clock();
    jest.useFakeTimers({ now: 0, doNotFake: EVERYTHING_BUT_DATE });
    const delivery = await world.notify(endpoint.id);
    world.behaviour = answering(429, { 'retry-after': new Date((before + 600) * 1_000).toUTCString() });
    await world.attempt(delivery.id);
    const after = await clock();

    const [request] = world.receiver.requests.filter(({ headers }) => headers['webhook-id'] === delivery.id);
    const body = JSON.parse(request?.body ?? '') as { timestamp: string };
    const times = [Number(request?.headers['webhook-timestamp']), Date.parse(body.timestamp) / 1_000];
    for (const time of times) {
      expect(time).toBeGreaterThanOrEqual(before);
      expect(time).toBeLessThanOrEqual(after + 1);
    }
    const seconds = await secondsUntilNext(delivery);
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  it('waits for the presence of its worker, which may be back in a moment', async () => {
    const delivery = await newDelivery();
    const { databaseUrl } = world;
    const presence = new WorkerPresence({
      databaseUrl,
      processName: 'back',
      places: 1,
      answerWithinMs: 10_000,
      onError: () => undefined,
    });
    const { workerId } = world;
    world.workerId = () => presentName(presence);
    try {
      const delivering = world.deliver(delivery.id);
      await presence.start();
      await delivering;
    } finally {
      world.workerId = workerId;
      await presence.stop();
    }
    expect(await world.read(delivery.id)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  it('waits as long as the receiver asks (W3)', async () => {
    const delivery = await newDelivery();
    world.behaviour = answering(429, { 'retry-after': '120' });
    expect(await world.attempt(delivery.id)).toMatchObject({ status: 'pending' });
    const seconds = await secondsUntilNext(delivery);
    expect(seconds).toBeGreaterThan(100);
    expect(seconds).toBeLessThanOrEqual(120);
    const requests = sent(delivery).length;
    await world.deliver(delivery.id);
    expect(sent(delivery)).toHaveLength(requests);
  });

  it('disables its endpoint after an answer 410: nothing else is sent to it (W3)', async () => {
    const endpoint = await world.register();
    const gone = await world.notify(endpoint.id);
    const waiting = await world.notify(endpoint.id);
    world.behaviour = answering(410);

    expect(await world.attempt(gone.id)).toMatchObject({
      status: 'exhausted',
      attempts: [{ status_code: 410 }],
    });

    const { body } = await world.ask(`/api/webhook-endpoints/${endpoint.id}/`);
    expect(body).toMatchObject({ is_active: false });
    world.behaviour = answering(204);
    expect(await world.attempt(waiting.id)).toMatchObject({
      status: 'exhausted',
      attempt_count: 0,
      attempts: [],
    });
    expect(sent(waiting)).toEqual([]);
    expectProblem(await world.redeliver(gone.id), DISABLED);
    expect(await world.read(gone.id)).toMatchObject({ status: 'exhausted' });

    await setActive(endpoint.id, true);
    expect((await world.redeliver(waiting.id)).status).toBe(202);
    expect(await world.attempt(waiting.id)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  it('goes to the URL that its endpoint has by then', async () => {
    const endpoint = await world.register();
    const delivery = await world.notify(endpoint.id);
    const url = world.receiver.url.replace('/hook', '/moved');
    await world.ask(`/api/webhook-endpoints/${endpoint.id}/`, { method: 'PATCH', json: { url } });
    await world.attempt(delivery.id);
    expect(world.receiver.requests.at(-1)).toMatchObject({ path: '/moved' });
  });
});

describe('a redelivery', () => {
  it('sends the same id and body again, after a success', async () => {
    const delivery = await newDelivery();
    const first = await world.attempt(delivery.id);

    const answer = await world.redeliver(delivery.id);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ id: delivery.id, status: 'pending', attempt_count: 1 });
    expect(answer.body.delivered_at).toBe(first.delivered_at);
    expect(await world.take()).toContainEqual({ id: delivery.id });
    await world.deliver(delivery.id);

    expect(await world.read(delivery.id)).toMatchObject({ status: 'delivered', attempt_count: 2 });
    const [one, two, ...rest] = sent(delivery);
    expect(two).toEqual(one);
    expect(rest).toEqual([]);
  });

  it('after exhaustion has the whole schedule again', async () => {
    const delivery = await newDelivery();
    expect(await exhaust(delivery)).toMatchObject({ status: 'exhausted', attempt_count: ATTEMPTS });
    expect((await world.redeliver(delivery.id)).status).toBe(202);
    world.behaviour = answering(500);
    await world.deliver(delivery.id);

    const after = await world.read(delivery.id);
    expect(after).toMatchObject({ status: 'pending', attempt_count: ATTEMPTS + 1 });
    expect(after.attempts.map((attempt) => attempt.number)).toEqual(
      Array.from({ length: ATTEMPTS + 1 }, (_, index) => index + 1),
    );
    expect(await secondsUntilNext(delivery)).toBeLessThanOrEqual(5);
    expect(new Set(sent(delivery).map((request) => request.body)).size).toBe(1);
  });

  it('before the next attempt does not wait', async () => {
    const delivery = await newDelivery();
    world.behaviour = answering(503, { 'retry-after': '3600' });
    await world.attempt(delivery.id);
    world.behaviour = answering(204);
    await world.redeliver(delivery.id);
    await world.deliver(delivery.id);
    expect(await world.read(delivery.id)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  it('during the last attempt is not lost with it', async () => {
    const delivery = await newDelivery();
    world.behaviour = answering(500);
    for (let number = 1; number < ATTEMPTS; number += 1) await world.attempt(delivery.id);
    world.behaviour = (_request, response) => {
      void world
        .redeliver(delivery.id)
        .then(({ status }) => response.writeHead(status === 202 ? 500 : 204).end());
    };
    expect(await world.attempt(delivery.id)).toMatchObject({ status: 'pending', attempt_count: ATTEMPTS });
    world.behaviour = answering(204);
    await world.endPauses();
    await world.deliver(delivery.id);
    expect(await world.read(delivery.id)).toMatchObject({ status: 'delivered' });
  });

  it('to an endpoint that was paused is refused until it is active again', async () => {
    const endpoint = await world.register();
    const delivery = await world.notify(endpoint.id);
    await world.attempt(delivery.id);
    await setActive(endpoint.id, false);
    expectProblem(await world.redeliver(delivery.id), DISABLED);
    await setActive(endpoint.id, true);
    expect((await world.redeliver(delivery.id)).status).toBe(202);
  });
});
