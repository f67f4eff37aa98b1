import { AppError } from '#libs/kernel';
import { MAX_WEBHOOK_ENDPOINTS } from '#libs/persistence';

export function webhookEndpointNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Webhook endpoint not found' });
}

export function tooManyWebhookEndpoints(): AppError {
  return new AppError({
    code: 'TOO_MANY_ENDPOINTS',
    kind: 'unprocessable',
    message: `the tenant has ${MAX_WEBHOOK_ENDPOINTS} webhook endpoints, the maximum; delete one first`,
  });
}
