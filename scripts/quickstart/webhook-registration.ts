import { z } from 'zod';
import type { CommandContext } from '../local/run-until-stopped.ts';
import { createApiClient } from './api-client.ts';
import { isListening, isQuickstartReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const EVENTS = ['execution.completed', 'execution.incomplete', 'execution.failed'];
const ENDPOINTS = z.object({ data: z.array(z.object({ id: z.number(), url: z.string() })) });
const REGISTERED = z.object({ id: z.number(), secret: z.string() });

/**
 * Registers the receiver with the API until the command ends. First it removes registrations of killed quickstarts, which
 * have no receiver any more.
 */
export async function registerReceiver(options: {
  api: string;
  apiKey: string | null;
  receiver: WebhookReceiver;
  context: CommandContext;
}): Promise<void> {
  const { api, apiKey, receiver, context } = options;
  // Not bound to the command's signal, since the registration is removed during the shutdown.
  const client = createApiClient(api, null, apiKey);
  const known = await client.get('/api/webhook-endpoints/?limit=100', ENDPOINTS);
  for (const endpoint of known.data) {
    if (await isAbandoned(endpoint.url, receiver.url)) {
      await client.delete(`/api/webhook-endpoints/${endpoint.id}/`);
    }
  }
  const registration = { url: receiver.url, events: EVENTS };
  const { id, secret } = await client.post('/api/webhook-endpoints/', registration, REGISTERED);
  receiver.trust(secret);
  context.onStop(async () => {
    // If the API has already stopped, the next quickstart removes the registration.
    await client.delete(`/api/webhook-endpoints/${id}/`).catch(() => undefined);
  });
}

/** Another quickstart with the same database has a live receiver on another port. */
async function isAbandoned(url: string, ours: string): Promise<boolean> {
  return isQuickstartReceiver(url) && (url === ours || !(await isListening(url)));
}
