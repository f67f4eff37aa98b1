import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES, webhookEventsSchema, webhookUrlSchema } from '#libs/payloads';
import { WEBHOOK_SECRET } from '#libs/secrets';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const isActive = z
  .boolean()
  .describe('Nothing is sent to an inactive endpoint; one that answers 410 becomes inactive.');

const SECRET = 'must be `whsec_` and 24 to 64 bytes in base64';
const NAME = 'must be 1 to 100 characters, without NUL';
const nameSchema = z
  .string(NAME)
  .trim()
  .min(1, NAME)
  .max(100, NAME)
  .regex(/^[^\u0000]*$/, NAME)
  .describe('1 to 100 characters, unique within the tenant.');
const name = nameSchema
  .nullable()
  .describe(
    '1 to 100 characters, unique within the tenant; null for none. `PUT …/by-name/{name}/` finds it by its name.',
  );

export class NewWebhookEndpointDto extends createZodDto(
  z.strictObject({
    name: name.default(null),
    url: webhookUrlSchema,
    events: webhookEventsSchema.default([...WEBHOOK_EVENT_TYPES]),
  }),
  { url: 'https://example.com/hooks/capstan', events: ['execution.completed', 'execution.failed'] },
) {}
export class WebhookEndpointPatchDto extends createZodDto(
  z.strictObject({ name, url: webhookUrlSchema, events: webhookEventsSchema, is_active: isActive }).partial(),
  { is_active: false },
) {}

export class WebhookEndpointFieldsDto extends createZodDto(
  z.strictObject({
    name: nameSchema,
    url: webhookUrlSchema,
    events: webhookEventsSchema.default([...WEBHOOK_EVENT_TYPES]),
    is_active: isActive.default(true),
    secret: z
      .string(SECRET)
      .regex(WEBHOOK_SECRET, SECRET)
      .optional()
      .describe(
        '`whsec_` and 24 to 64 bytes in base64; required for a new endpoint. Another secret than the stored one is a rotation: ' +
          'for 24 hours requests are signed with both. When omitted, the stored one stays.',
      ),
  }),
  {
    name: 'shop',
    url: 'https://example.com/hooks/capstan',
    secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  },
) {}

const webhookEndpointSchema = z.object({
  id: z.int(),
  name,
  url: z.url(),
  events: webhookEventsSchema,
  is_active: isActive,
  previous_secret_expires_at: z.iso
    .datetime()
    .nullable()
    .describe('Time until which requests are also signed with the previous secret.'),
  paused_until: z.iso
    .datetime()
    .nullable()
    .describe(
      'Time until which the endpoint is paused after too many failures in a row; null if it is not paused.',
    ),
  created_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof webhookEndpointSchema> = {
  id: 2,
  name: 'shop',
  url: 'https://example.com/hooks/capstan',
  events: ['execution.completed', 'execution.failed'],
  is_active: true,
  previous_secret_expires_at: null,
  paused_until: null,
  created_at: '2026-11-22T09:00:00.000Z',
};
export class WebhookEndpointDto extends createZodDto(webhookEndpointSchema, EXAMPLE) {}
export class WebhookEndpointPageDto extends createZodDto(
  pageSchema(webhookEndpointSchema),
  pageExample(EXAMPLE),
) {}
/** The answers that contain the secret: creation and rotation. */
export class WebhookEndpointWithSecretDto extends createZodDto(
  webhookEndpointSchema.extend({
    secret: z.string().describe('`whsec_…`, for verifying signatures; shown once.'),
  }),
  { ...EXAMPLE, secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=' },
) {}

export class WebhookEndpointIdParams extends createZodDto(
  z.object({ id: idSchema.describe('The id of the webhook endpoint.') }),
) {}
export class WebhookEndpointListQuery extends createZodDto(pageQuerySchema(idSchema)) {}
