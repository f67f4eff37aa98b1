export { evaluateDelivery, type DeliveryVerdict } from './evaluate-delivery.js';
export { evaluateReceiver, pauseAfter } from './evaluate-receiver.js';
export { generateWebhookSecret, isWebhookSecret } from './webhook-secret.js';
export {
  WebhookSender,
  type SendResult,
  type WebhookMessage,
  type WebhookSenderOptions,
} from './webhook-sender.js';
