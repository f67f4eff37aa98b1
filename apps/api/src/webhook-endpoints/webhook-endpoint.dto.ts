import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES } from '#libs/payloads';
import { pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema } from '../http/request-values.js';

const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2_048, 'must be at most 2048 characters')
  .refine(hasNoCredentials, 'must not hold a user or password: requests are signed')
  .describe('Where requests are sent.');
const events = z.array(z.enum(WEBHOOK_EVENT_TYPES)).min(1).describe('Which endings to tell.');
const isActive = z
  .boolean()
  .describe('Nothing is sent to an inactive endpoint; one that answers 410 becomes inactive.');

export class NewWebhookEndpointDto extends createZodDto(
  z.strictObject({ url: webUrl, events: events.default([...WEBHOOK_EVENT_TYPES]) }),
) {}
export class WebhookEndpointPatchDto extends createZodDto(
  z.strictObject({ url: webUrl, events, is_active: isActive }).partial(),
) {}

const webhookEndpointSchema = z.object({
  id: z.int(),
  url: z.url(),
  events,
  is_active: isActive,
  previous_secret_expires_at: z.iso
    .datetime()
    .nullable()
    .describe('Until when requests are also signed with the secret before the last rotation.'),
  created_at: z.iso.datetime(),
});
export class WebhookEndpointDto extends createZodDto(webhookEndpointSchema) {}
export class WebhookEndpointPageDto extends createZodDto(pageSchema(webhookEndpointSchema)) {}
/** The only answer that shows the secret: of a new endpoint, and of a rotation. */
export class WebhookEndpointWithSecretDto extends createZodDto(
  webhookEndpointSchema.extend({
    secret: z.string().describe('`whsec_…`, to verify signatures with; shown once.'),
  }),
) {}

export class WebhookEndpointIdParams extends createZodDto(z.object({ id: idSchema })) {}
export class WebhookEndpointListQuery extends createZodDto(pageQuerySchema(idSchema)) {}

function hasNoCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '');
}
