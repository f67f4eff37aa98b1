import { z } from 'zod';
import { utf8Length } from '#libs/kernel';
import { executionViewSchema, type ExecutionView } from '../executions/execution-view.js';
import type { SettledStatus } from '../executions/execution-status.js';
import { jsonBytes, shortenExecution } from './shorten-execution.js';

export const WEBHOOK_EVENT_TYPES = [
  'execution.completed',
  'execution.incomplete',
  'execution.failed',
  'execution.cancelled',
  'execution.requires_action',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Event that a person sends to one endpoint to try it; no endpoint subscribes to it. */
export const WEBHOOK_TEST_TYPE = 'webhook.test';
/** Events that deliveries report. */
export const WEBHOOK_DELIVERY_TYPES = [...WEBHOOK_EVENT_TYPES, WEBHOOK_TEST_TYPE] as const;
export type WebhookDeliveryType = (typeof WEBHOOK_DELIVERY_TYPES)[number];

export function webhookTypeOf(status: SettledStatus): WebhookEventType {
  return `execution.${status}`;
}

/** Maximum bytes of a webhook body; receivers need not accept more. */
export const MAX_WEBHOOK_BYTES = 20_000;

/** Body of a webhook. */
export const webhookBodySchema = z.object({
  type: z.enum(WEBHOOK_EVENT_TYPES),
  timestamp: z.iso.datetime(),
  data: executionViewSchema.extend({
    truncated: z
      .literal(true)
      .optional()
      .describe(
        `True if the execution exceeded ${MAX_WEBHOOK_BYTES} bytes and was shortened; otherwise absent.`,
      ),
    result_url: z.string().optional().describe('With `truncated`: path of the complete execution.'),
  }),
});

/** Body of a test event. */
export const webhookTestBodySchema = z.object({
  type: z.literal(WEBHOOK_TEST_TYPE),
  timestamp: z.iso.datetime(),
  data: z.object({ endpoint_id: z.int().describe('Id of the tested endpoint.') }),
});

/** The exact text that is signed and sent, the same in every attempt; at most {@link MAX_WEBHOOK_BYTES} bytes. */
export function toWebhookBody(type: WebhookEventType, view: ExecutionView, timestamp: string): string {
  const whole = JSON.stringify({ type, timestamp, data: view });
  if (utf8Length(whole) <= MAX_WEBHOOK_BYTES) return whole;
  const room = MAX_WEBHOOK_BYTES - jsonBytes({ type, timestamp, data: null });
  return JSON.stringify({ type, timestamp, data: shortenExecution(view, room) });
}

/** Headers of a request of a delivery, but for its signature. Pure. */
export function webhookRequestHeaders(id: string, timestamp: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'capstan',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1_000)),
  };
}
