import { AppError } from '#libs/kernel';
import { MAX_WEBHOOK_ENDPOINTS } from '#libs/persistence';
import { InvalidRequestError } from '../http/request-errors.js';

export function webhookEndpointNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Webhook endpoint not found' });
}

export function webhookEndpointNameTaken(): AppError {
  return new AppError({
    code: 'WEBHOOK_ENDPOINT_NAME_TAKEN',
    kind: 'conflict',
    message: 'Another webhook endpoint of the tenant has this name',
  });
}

/** An apply never answers a generated secret, so the caller must bring one. */
export function missingWebhookSecret(): InvalidRequestError {
  const detail = 'is required for an endpoint that does not exist yet';
  return new InvalidRequestError([{ pointer: '#/secret', detail }]);
}

export function tooManyWebhookEndpoints(): AppError {
  return new AppError({
    code: 'TOO_MANY_ENDPOINTS',
    kind: 'unprocessable',
    message: `the tenant has ${MAX_WEBHOOK_ENDPOINTS} webhook endpoints, the maximum; delete one first`,
  });
}
