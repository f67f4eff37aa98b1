import { AppError } from '#libs/kernel';

export function webhookEndpointNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Webhook endpoint not found' });
}
