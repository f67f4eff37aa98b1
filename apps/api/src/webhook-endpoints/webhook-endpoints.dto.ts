import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES, webhookEventsSchema, webhookUrlSchema } from '#libs/payloads';
import { pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const isActive = z
  .boolean()
  .describe('Nothing is sent to an inactive endpoint; one that answers 410 becomes inactive.');

export class NewWebhookEndpointDto extends createZodDto(
  z.strictObject({
    url: webhookUrlSchema,
    events: webhookEventsSchema.default([...WEBHOOK_EVENT_TYPES]),
  }),
) {}
export class WebhookEndpointPatchDto extends createZodDto(
  z.strictObject({ url: webhookUrlSchema, events: webhookEventsSchema, is_active: isActive }).partial(),
) {}

const webhookEndpointSchema = z.object({
  id: z.int(),
  url: z.url(),
  events: webhookEventsSchema,
  is_active: isActive,
  previous_secret_expires_at: z.iso
    .datetime()
    .nullable()
    .describe('Until when requests are also signed with the secret before the last rotation.'),
  paused_until: z.iso
    .datetime()
    .nullable()
    .describe(
      'Until when nothing is sent, since too many requests in a row have failed; null when all is well.',
    ),
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
