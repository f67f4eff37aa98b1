import { AppError } from '#libs/kernel';

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
