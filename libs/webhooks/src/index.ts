export { evaluateDelivery, type DeliveryVerdict } from './evaluate-delivery.js';
export { evaluateReceiver, pauseAfter } from './evaluate-receiver.js';
export type { WebhookAnswer } from './kept-answer.js';
export { webhookRequestHeaders } from './request-headers.js';
export { generateWebhookSecret } from './webhook-secret.js';
export {
  WebhookSender,
  type SendResult,
  type WebhookMessage,
  type WebhookSenderOptions,
} from './webhook-sender.js';
