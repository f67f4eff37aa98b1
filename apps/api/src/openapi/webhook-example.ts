import { WEBHOOK_TEST_TYPE, type WebhookEventType } from '#libs/payloads';
import { executionExample } from '../executions/executions.examples.js';

const STATUS_OF_TYPE = {
  'execution.completed': 'completed',
  'execution.incomplete': 'incomplete',
  'execution.failed': 'failed',
  'execution.cancelled': 'cancelled',
  'execution.requires_action': 'requires_action',
} as const;

export function webhookExample(type: WebhookEventType) {
  return { type, timestamp: '2026-11-22T09:00:03.512Z', data: executionExample(STATUS_OF_TYPE[type]) };
}

export function webhookTestExample() {
  return { type: WEBHOOK_TEST_TYPE, timestamp: '2026-11-22T09:00:03.512Z', data: { endpoint_id: 2 } };
}
