import type { OpenAPIObject } from '@nestjs/swagger';
import { WEBHOOK_DELIVERY_TYPES, WEBHOOK_TEST_TYPE, type WebhookDeliveryType } from '#libs/payloads';
import { webhookExample, webhookTestExample } from './webhook-example.js';

const MEANING: Readonly<Record<WebhookDeliveryType, string>> = {
  'execution.completed': 'An execution has its result',
  'execution.incomplete': 'An execution ended early, with a partial result',
  'execution.failed': 'An execution failed',
  'execution.cancelled': 'An execution was cancelled',
  'execution.requires_action': 'An execution waits for a person to decide',
  [WEBHOOK_TEST_TYPE]: 'A webhook endpoint is tested',
};

const RECIPIENTS =
  'Sent to the webhook endpoints of the tenant that ask for it, and to the `webhook` of the execution.';
const TESTED =
  'Sent to the endpoint on which `testWebhookEndpoint` was called, independently of its `events`.';
const DELIVERY =
  `Delivered at least once: \`webhook-id\` is the same at every attempt. Answer 2xx within 15 seconds; any other answer is retried for
about four days, and 410 disables the endpoint. Signed according to Standard Webhooks.`.replaceAll('\n', ' ');

const TEXT = { type: 'string' } as const;
const HEADERS = [
  ['webhook-id', 'Id of the delivery, the same at every attempt.'],
  ['webhook-timestamp', 'Time of the request, in seconds since 1970.'],
  [
    'webhook-signature',
    '`v1,` and the signature in base64 of `<id>.<timestamp>.<body>`, HMAC-SHA256 under the secret; several with blanks between while a secret is replaced.',
  ],
].map(
  ([name = '', description = '']) =>
    ({ name, in: 'header', required: true, description, schema: TEXT }) as const,
);

/** Describes the webhook requests: one event each, with an execution except for the test. */
export function describeWebhooks(): NonNullable<OpenAPIObject['webhooks']> {
  return Object.fromEntries(WEBHOOK_DELIVERY_TYPES.map((type) => [type, { post: describe(type) }]));
}

function describe(type: WebhookDeliveryType) {
  const isTest = type === WEBHOOK_TEST_TYPE;
  const schema = { $ref: `#/components/schemas/${isTest ? 'WebhookTestBody' : 'WebhookBody'}` };
  return {
    operationId: operationIdOf(type),
    summary: MEANING[type],
    description: `${isTest ? TESTED : RECIPIENTS} ${DELIVERY}`,
    tags: ['webhook deliveries'],
    security: [],
    parameters: HEADERS.map((header) => ({ ...header })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, example: isTest ? webhookTestExample() : webhookExample(type) },
      },
    },
    responses: {
      '2XX': { description: 'Accepted.' },
      '410': { description: 'Gone: the endpoint becomes inactive, and nothing more is sent to it.' },
      default: { description: 'The delivery is retried later.' },
    },
  };
}

/** Operation id of an event, e.g. `onExecutionCompleted`. */
function operationIdOf(type: WebhookDeliveryType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `on${words.join('')}`;
}
