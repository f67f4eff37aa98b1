import { z } from 'zod';
import { WEBHOOK_DELIVERY_TYPES } from '#libs/payloads';
import { WEBHOOK_DELIVERY_STATUSES } from '#libs/persistence';
import { rangeFields, sortSchema, wordsSchema } from '../http/list-filters.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema, uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const deliveryIdSchema = z.string().regex(/^evt_[0-9a-f-]{1,64}$/, 'must be the id of a webhook delivery');

const webhookDeliverySchema = z.object({
  id: z.string().describe('`evt_…`, the `webhook-id` of every attempt.'),
  endpoint_id: z.int().nullable().describe('Null for the `webhook` of an execution.'),
  url: z.url().describe('URL of the next request.'),
  execution_id: z.uuid().nullable().describe('Null for a test event.'),
  type: z
    .enum(WEBHOOK_DELIVERY_TYPES)
    .describe('Event that is reported; `webhook.test` is the test event of an endpoint.'),
  status: z
    .enum(WEBHOOK_DELIVERY_STATUSES)
    .describe('exhausted: every attempt failed, the endpoint is not active, or it answered 410.'),
  attempt_count: z.int(),
  created_at: z.iso.datetime(),
  next_attempt_at: z.iso
    .datetime()
    .nullable()
    .describe('Earliest time of the next attempt; null unless pending.'),
  delivered_at: z.iso.datetime().nullable().describe('Time of the last success.'),
});
const EXAMPLE: z.input<typeof webhookDeliverySchema> = {
  id: 'evt_01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e09',
  endpoint_id: 2,
  url: 'https://example.com/hooks/capstan',
  execution_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
  type: 'execution.completed',
  status: 'delivered',
  attempt_count: 1,
  created_at: '2026-11-22T09:00:03.480Z',
  next_attempt_at: null,
  delivered_at: '2026-11-22T09:00:03.700Z',
};
export class WebhookDeliveryDto extends createZodDto(webhookDeliverySchema, EXAMPLE) {}
export class WebhookDeliveryPageDto extends createZodDto(
  pageSchema(webhookDeliverySchema),
  pageExample(EXAMPLE),
) {}

const answerSchema = z.object({
  content_type: z.string().nullable().describe('Null without the header; at most 200 characters.'),
  body: z
    .string()
    .nullable()
    .describe(
      'Its beginning as text, at most 2 000 characters, foreign content: never run or render it. Credentials in it are redacted. Null if it is no text in UTF-8, such as a compressed one.',
    ),
  truncated: z.boolean().describe('True if the body is longer, or broke off.'),
});
const attemptSchema = z.object({
  number: z
    .int()
    .describe('Number of the attempt, from 1; a number is missing if the worker died during that attempt.'),
  status_code: z.int().nullable().describe('HTTP status; null if there was no answer.'),
  error: z.string().nullable().describe('Reason why there was no answer.'),
  request_headers: z
    .record(z.string(), z.string())
    .describe('Headers of the request, without `webhook-signature`; its body is that of the delivery.'),
  answer: answerSchema
    .nullable()
    .describe('What the receiver answered; null without a body, and for attempts of older releases.'),
  duration_ms: z.int().describe('Milliseconds from the beginning of the attempt to its end.'),
  attempted_at: z.iso.datetime().describe('Time of the request, its `webhook-timestamp`.'),
});
const BODY_EXAMPLE =
  '{"type":"execution.completed","timestamp":"2026-11-22T09:00:03.480Z","data":{"id":"01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01"}}';
const ATTEMPT_EXAMPLE = {
  number: 1,
  status_code: 200,
  error: null,
  request_headers: {
    'content-type': 'application/json',
    'user-agent': 'capstan',
    'webhook-id': EXAMPLE.id,
    'webhook-timestamp': '1795338003',
  },
  answer: { content_type: 'application/json', body: '{"ok":true}', truncated: false },
  duration_ms: 188,
  attempted_at: '2026-11-22T09:00:03.512Z',
};
/** A delivery with its body and all its attempts. */
export class WebhookDeliveryWithAttemptsDto extends createZodDto(
  webhookDeliverySchema.extend({
    body: z
      .string()
      .describe(
        'The body of every request, exactly as it is signed and sent: JSON as text, 20 000 bytes at most.',
      ),
    attempts: z.array(attemptSchema),
  }),
  { ...EXAMPLE, body: BODY_EXAMPLE, attempts: [ATTEMPT_EXAMPLE] },
) {}

export class WebhookDeliveryIdParams extends createZodDto(
  z.object({ id: deliveryIdSchema.describe('The id of the delivery, its `webhook-id`.') }),
) {}
export class WebhookDeliveryListQuery extends createZodDto(
  pageQuerySchema(deliveryIdSchema).extend({
    endpoint_id: idSchema.optional().describe('Only deliveries of this endpoint.'),
    execution_id: uuidSchema.optional().describe('Only deliveries of this execution.'),
    status: wordsSchema(WEBHOOK_DELIVERY_STATUSES)
      .optional()
      .describe('Only deliveries with this status, or with one of several, comma-separated.'),
    type: wordsSchema(WEBHOOK_DELIVERY_TYPES)
      .optional()
      .describe('Only deliveries of this event, or of one of several, comma-separated.'),
    ...rangeFields,
    sort: sortSchema,
  }),
) {}
