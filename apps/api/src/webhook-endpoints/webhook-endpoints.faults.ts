import { AppError } from '#libs/kernel';
import { MAX_WEBHOOK_ENDPOINTS } from '#libs/persistence';

export function webhookEndpointNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Webhook endpoint not found' });
}

export function cannotKeepSecrets(): AppError {
  return new AppError({
    code: 'ENCRYPTION_NOT_CONFIGURED',
    kind: 'unprocessable',
    message: 'This server cannot keep webhook secrets: its ENCRYPTION_KEY is not set',
  });
}

export function tooManyWebhookEndpoints(): AppError {
  return new AppError({
    code: 'TOO_MANY_ENDPOINTS',
    kind: 'unprocessable',
    message: `there are ${MAX_WEBHOOK_ENDPOINTS} webhook endpoints already; delete one that is not needed`,
  });
}
