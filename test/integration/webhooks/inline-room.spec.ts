import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../support/services/wait-for.js';
import { answering, InlineWorld, FREE, heldBy } from './inline-world.js';
import { RECEIVER_CONCURRENCY, type Delivery } from './webhook-world.js';

let world: InlineWorld;
beforeAll(async () => {
  world = await InlineWorld.open();
});
beforeEach(() => world.begin());
afterAll(() => world.close());

describe('a delivery waits for its turn', () => {
  const isNotSent = async (at = world.worker): Promise<Delivery> => {
    const said = at.said.waiting;
    const delivery = await world.notify(at);
    expect(delivery).toMatchObject({ status: 'pending', attempt_count: 0 });
    expect(await world.holdOf(delivery)).toEqual(FREE);
    expect(at.said.waiting).toBe(said + 1);
    return delivery;
  };

  it.each([
    ['paused', `now() + interval '1 minute'`],
    ['on trial', `now() - interval '1 second'`],
  ])('while its receiver is %s', async (_name, until) => {
    const { id } = await world.waiting();
    await world.query(
      `INSERT INTO webhook_breaker (tenant_id, receiver, consecutive_failures, paused_until)
       SELECT tenant_id, receiver, 10, ${until} FROM webhook_delivery WHERE id = $1`,
      [id],
    );
    await isNotSent();
  });

  it('while others have been due for a while, not while they are due later', async () => {
    const other = await world.waiting();
    await world.ended(await world.notify());
    await world.makeDue(other, -2);
    await isNotSent();
  });

  it('while another worker sends to its receiver what it has claimed', async () => {
    const held = world.holding();
    const other = world.webhooks.makeWorker({ name: 'other' });
    const claimed = await world.waiting();
    await world.makeDue(claimed, 0);
    const delivering = other.deliver(claimed.id);
    await waitFor(() => held.length === 1, { description: 'the request' });
    await isNotSent();
    held[0]?.writeHead(200).end();
    await delivering;
    world.webhooks.behaviour = answering(204);
    await world.ended(await world.notify());
  });

  it('while one to its receiver is being claimed, without blocking others', async () => {
    const { id } = await world.waiting();
    await world.webhooks.dataSource.transaction(async (manager) => {
      await manager.query(
        'SELECT count_webhook_requests(tenant_id, receiver) FROM webhook_delivery WHERE id = $1',
        [id],
      );
      await isNotSent();
    });
  });

  it('while its tenant has as many requests under way as it may have', async () => {
    const held = world.holding();
    const slow = await world.waiting();
    const busy = world.webhooks.makeWorker({ name: 'busy', tenantConcurrency: 1 });
    const executionId = await world.webhooks.submit({ url: 'http://127.0.0.1:1/elsewhere' });
    await world.makeDue(slow, 0);
    const delivering = world.webhooks.deliver(slow.id);
    await waitFor(() => held.length === 1, { description: 'the request' });
    await world.replaceWorkers([busy]);
    await busy.run(executionId);
    expect(await world.webhooks.findOwn(executionId)).toMatchObject({ attempt_count: 0 });
    held[0]?.writeHead(200).end();
    await delivering;
  });

  it.each([
    ['has just come, and is not alone', { newcomerMs: 20_000 }, 19],
    ['has no room', { most: 0 }, 60],
  ])('where the worker %s', async (_name, options, seconds) => {
    const newcomer = world.webhooks.makeWorker({ name: 'newcomer', ...options });
    await newcomer.announce(seconds);
    await isNotSent(newcomer);
  });

  it('where the worker is not announced', async () => {
    await isNotSent(world.webhooks.makeWorker({ name: 'nobody' }));
  });

  it('where the worker is alone and has just come, it does not', async () => {
    const first = world.webhooks.makeWorker({ name: 'first', newcomerMs: 20_000 });
    await world.replaceWorkers([first], 0);
    await world.ended(await world.notify(first));
  });

  it.each([
    ['all', [], RECEIVER_CONCURRENCY],
    ['half', ['other'], RECEIVER_CONCURRENCY / 2],
  ])('behind %s of the requests, when it was in line for too long: no attempt is used up', async (...row) => {
    const [, others, share] = row;
    const held = world.holding();
    const waitSignal = new AbortController();
    const impatient = world.webhooks.makeWorker({ name: 'impatient', waitSignal: () => waitSignal.signal });
    const beside = others.map((name) => world.webhooks.makeWorker({ name }));
    await world.replaceWorkers([impatient, ...beside]);
    const sent = [];
    for (let count = 0; count < share; count += 1) sent.push(await world.notify(impatient));
    const inLine = await world.notify(impatient);
    expect(await world.holdOf(inLine)).toEqual(heldBy('impatient'));
    await waitFor(() => held.length === share, { description: 'the requests' });
    waitSignal.abort();
    await world.released(inLine);
    expect(await world.holdOf(inLine)).toEqual(FREE);
    expect(await world.read(inLine)).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [] });
    expect(held).toHaveLength(share);
    world.webhooks.behaviour = answering(204);
    for (const response of held) response.writeHead(204).end();
    await Promise.all(sent.map((delivery) => world.ended(delivery)));
    await world.webhooks.deliver(inLine.id);
    expect(await world.read(inLine)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });
});

describe('a claim', () => {
  it('counts what is leased inline, also by a transaction that it has to wait for', async () => {
    const isAnyLockAwaited = async (): Promise<boolean> => {
      const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 7350004 AND NOT granted`;
      return (await world.query(waiting)).length > 0;
    };
    const held = world.holding();
    const claimed = await world.waiting();
    const others = await Promise.all(Array.from({ length: RECEIVER_CONCURRENCY - 1 }, () => world.notify()));
    const executionId = await world.webhooks.submit();
    let claiming: Promise<void> | undefined;
    await world.worker.run(executionId, async () => {
      await world.makeDue(claimed, 0);
      claiming = world.webhooks.deliver(claimed.id);
      await waitFor(isAnyLockAwaited, { description: 'the claim to wait for its lock' });
    });
    await claiming;
    expect(await world.holdOf(claimed)).toEqual(FREE);
    expect(await world.read(claimed)).toMatchObject({ attempt_count: 0 });
    await waitFor(() => held.length === RECEIVER_CONCURRENCY, { description: 'the requests' });
    for (const response of held) response.writeHead(204).end();
    await Promise.all(
      [...others, await world.webhooks.findOwn(executionId)].map((delivery) => world.ended(delivery)),
    );
  });
});

describe('two workers that end a flood of executions with one slow receiver', () => {
  it('never have more concurrent requests than the receiver may get, on both ways', async () => {
    const workers = ['one', 'two'].map((name) => world.webhooks.makeWorker({ name, most: 8 }));
    await world.replaceWorkers(workers);
    const held: ServerResponse[] = [];
    let atOnce = 0;
    let most = 0;
    world.webhooks.behaviour = (_request, response) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      held.push(response);
    };
    const answerFirst = (): void => {
      if (held.length === 0) return;
      atOnce -= 1;
      held.shift()?.writeHead(204).end();
    };
    const executions: string[] = [];
    for (let count = 0; count < 24; count += 1) executions.push(await world.webhooks.submit());
    const isOver = async (): Promise<boolean> => {
      const [row] = await world.query<{ left: number }>(
        `SELECT count(*)::int AS left FROM webhook_delivery WHERE status = 'pending'`,
      );
      return row?.left === 0;
    };
    const running = executions.map(async (id, index) => workers[index % 2]?.run(id));
    const delivering: Promise<void>[] = [];
    await waitFor(() => held.length >= RECEIVER_CONCURRENCY, { description: 'the receiver to be busy' });
    await Promise.all(running);
    await waitFor(
      async () => {
        const due = await world.webhooks.take();
        delivering.push(...due.map(async ({ id }, index) => workers[index % 2]?.deliver(id)));
        answerFirst();
        return isOver();
      },
      { description: 'all to be delivered', intervalMs: 5 },
    );
    await Promise.all(delivering);
    expect(most).toBe(RECEIVER_CONCURRENCY);
    expect(new Set(executions.flatMap((id) => world.idsSent(id))).size).toBe(executions.length);
    expect(executions.flatMap((id) => world.idsSent(id))).toHaveLength(executions.length);
  });
});
