import { createApiClient } from './api-client.mjs';
import { isPortFree } from './ports.mjs';
import { isQuickstartReceiver } from './webhook-receiver.mjs';

const EVENTS = ['execution.completed', 'execution.incomplete', 'execution.failed'];

/**
 * Registers the receiver with the API until the command ends. Registrations that a killed quickstart left behind are
 * removed first: nobody listens there.
 * @param {object} options
 * @param {string} options.api
 * @param {import('./webhook-receiver.mjs').WebhookReceiver} options.receiver
 * @param {import('./run-until-stopped.mjs').CommandContext} options.context
 */
export async function registerReceiver({ api, receiver, context }) {
  // Not bound to the command's signal: the registration is removed while the command stops.
  const client = createApiClient(api);
  const known = await client.get('/api/webhook-endpoints/?limit=100');
  for (const endpoint of known.data) {
    if (await isAbandoned(endpoint.url, receiver.url))
      await client.delete(`/api/webhook-endpoints/${endpoint.id}/`);
  }
  const { id, secret } = await client.post('/api/webhook-endpoints/', { url: receiver.url, events: EVENTS });
  receiver.trust(secret);
  context.onStop(async () => {
    // Where the API is gone already, the next quickstart removes the registration.
    await client.delete(`/api/webhook-endpoints/${id}/`).catch(() => undefined);
  });
}

/**
 * Another quickstart may use the same database: its receiver still listens, on a port that is not ours.
 * @param {string} url
 * @param {string} ours
 */
async function isAbandoned(url, ours) {
  if (!isQuickstartReceiver(url)) return false;
  return url === ours || (await isPortFree(Number(new URL(url).port)));
}
