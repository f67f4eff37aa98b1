import type { ExecutionView } from '../executions/execution-view.js';
import type { SettledStatus } from '../executions/execution-status.js';

export const WEBHOOK_EVENT_TYPES = [
  'execution.completed',
  'execution.incomplete',
  'execution.failed',
  'execution.cancelled',
  'execution.requires_action',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export function webhookTypeOf(status: SettledStatus): WebhookEventType {
  return `execution.${status}`;
}

/** The exact text that is signed and sent, the same at every attempt. */
export function toWebhookBody(type: WebhookEventType, view: ExecutionView, timestamp: string): string {
  return JSON.stringify({ type, timestamp, data: view });
}
