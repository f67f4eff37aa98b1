// @ts-check
import { createLoadClient } from '../load/http-client.mjs';
import { startWebhookCounter } from './webhook-counter.mjs';

/**
 * A system that accepts executions and sends a webhook for each.
 * @typedef {object} Executor
 * @property {import('./bench-world.mjs').BenchWorld} world
 * @property {import('./webhook-counter.mjs').WebhookCounter} webhooks
 * @property {(input: string) => Promise<unknown>} submit
 */

/**
 * The minimal implementation of the service's work, written by hand.
 * @param {import('./bench-world.mjs').BenchWorld} world
 * @param {object} options
 * @param {'roofline' | 'grouped-roofline'} options.name of its programs; the second one commits in groups
 * @param {number} options.clients
 * @returns {Promise<Executor>}
 */
export async function openRoofline(world, { name, clients }) {
  const webhooks = await startWebhookCounter(world);
  const agents = await world.database.query('SELECT id FROM agent ORDER BY id LIMIT 1');
  const endpoints = await world.database.query(
    `INSERT INTO webhook_endpoint (tenant_id, url, secret_sealed, events) VALUES ('default', $1, 'none', '{}') RETURNING id`,
    [webhooks.url],
  );
  const env = {
    ROOFLINE_AGENT_ID: String(agents.rows[0].id),
    ROOFLINE_ENDPOINT_ID: String(endpoints.rows[0].id),
    ROOFLINE_WEBHOOK_URL: webhooks.url,
  };
  const start = (/** @type {'api' | 'worker'} */ part) =>
    world.startOther({
      name: `${name}-${part}`,
      entry: `bench/programs/${name}-${part}.mjs`,
      env,
      readyPath: '/readyz',
    });
  const { url } = await start('api');
  await start('worker');
  const client = createLoadClient(url, clients);
  world.defer(() => client.close());
  return { world, webhooks, submit: (input) => client.post('/execute', { input }) };
}
