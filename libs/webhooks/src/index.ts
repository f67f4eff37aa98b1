export { judgeDelivery, type DeliveryJudgement } from './judge-delivery.js';
export { judgeReceiver, pauseAfter } from './judge-receiver.js';
export { generateWebhookSecret } from './webhook-secret.js';
export {
  WebhookSender,
  type SendResult,
  type WebhookMessage,
  type WebhookSenderOptions,
} from './webhook-sender.js';
