import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WebhookDeliveryStore } from '#libs/persistence';
import { waitFor } from '../../support/services/wait-for.js';
import { RECEIVER_CONCURRENCY, WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.open();
});
afterAll(() => world.close());

/** Statements that wait for an advisory lock. */
async function waitingStatements(): Promise<number> {
  const [row] = await world.dataSource.query<[{ count: number }]>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`,
  );
  return row.count;
}

it('a claim that waits for its receiver sends nothing where the request before it had the receiver paused', async () => {
  const { id } = await world.notify((await world.register()).id);
  const holder = world.dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query(
    'SELECT count_webhook_requests(tenant_id, receiver) FROM webhook_delivery WHERE id = $1',
    [id],
  );
  const options = { sender: 'a-worker', leaseMs: 60_000, receiverConcurrency: RECEIVER_CONCURRENCY };
  const waiting = new WebhookDeliveryStore(world.dataSource).claim(id, options);
  await waitFor(async () => (await waitingStatements()) === 1, { description: 'the claim to wait' });
  await world.dataSource.query(
    `INSERT INTO webhook_breaker (tenant_id, receiver, consecutive_failures, paused_until)
     SELECT tenant_id, receiver, 10, now() + interval '1 min' FROM webhook_delivery WHERE id = $1`,
    [id],
  );
  await holder.commitTransaction();
  await holder.release();

  expect(await waiting).toBeNull();
});
