import { AppError } from '#libs/kernel';
import { InvalidRequestError } from '../http/request-errors.js';

export function apiKeyNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'API key not found' });
}

export function noSuchTenant(): InvalidRequestError {
  return new InvalidRequestError([{ pointer: '#/tenant_id', detail: 'must be the id of a tenant' }]);
}

export function expiredAlready(): InvalidRequestError {
  return new InvalidRequestError([{ pointer: '#/expires_at', detail: 'must be in the future' }]);
}

export function cannotGive(scopes: readonly string[]): AppError {
  return new AppError({
    code: 'INSUFFICIENT_SCOPE',
    kind: 'denied',
    message: `an API key gives no scope that it lacks itself: ${scopes.join(', ')}`,
  });
}

export function outlivesMaker(): AppError {
  return new AppError({
    code: 'API_KEY_OUTLIVES_MAKER',
    kind: 'denied',
    message:
      'no API key makes one that is good for longer than itself, nor by rotating it: ' +
      'give an `expires_at` that is not later than its own, or use a key that ends later',
  });
}

export function lastAdminKey(): AppError {
  return new AppError({
    code: 'LAST_ADMIN_KEY',
    kind: 'conflict',
    message: 'it is the last key with the scope admin that goes on; make another one, or rotate it',
  });
}

export function notUsable(): AppError {
  return notCurrent('the API key is revoked or expired; make a new one');
}

export function replacedBy(id: string): AppError {
  return notCurrent(`the API key ${id} replaces it already; rotate that one`);
}

function notCurrent(message: string): AppError {
  return new AppError({ code: 'API_KEY_NOT_CURRENT', kind: 'conflict', message });
}
