import { AppError } from '#libs/kernel';

export function webhookDeliveryNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Webhook delivery not found' });
}

export function webhookEndpointDisabled(): AppError {
  return new AppError({
    code: 'WEBHOOK_ENDPOINT_DISABLED',
    kind: 'conflict',
    message: 'The webhook endpoint is not active; set its is_active to true first',
  });
}
