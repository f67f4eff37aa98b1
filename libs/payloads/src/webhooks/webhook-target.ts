import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES } from './webhook-event.js';

const MAX_URL_CHARACTERS = 2_048;

/** URL of a customer's webhook. Whether the address may be called is decided at the call. */
export const webhookUrlSchema = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(MAX_URL_CHARACTERS, `must be at most ${MAX_URL_CHARACTERS} characters`)
  .refine(hasNoCredentials, 'must not hold a user or password: requests are signed')
  .describe('URL that receives the requests.');

export const webhookEventsSchema = z.array(z.enum(WEBHOOK_EVENT_TYPES)).min(1).describe('Events to send.');

/** URL and events of one execution's webhook; default: all events. */
export const executionWebhookSchema = z.strictObject({
  url: webhookUrlSchema,
  events: webhookEventsSchema.default([...WEBHOOK_EVENT_TYPES]),
});
export type ExecutionWebhook = z.infer<typeof executionWebhookSchema>;

function hasNoCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '');
}
