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
    message: `an API key can grant only its own scopes; it lacks: ${scopes.join(', ')}`,
  });
}

export function outlivesMaker(): AppError {
  return new AppError({
    code: 'API_KEY_OUTLIVES_MAKER',
    kind: 'denied',
    message:
      'the new API key must not expire later than the key of this request: ' +
      'send an earlier `expires_at`, or use a key that expires later',
  });
}

export function lastAdminKey(): AppError {
  return new AppError({
    code: 'LAST_ADMIN_KEY',
    kind: 'conflict',
    message: 'no other key with the scope admin stays valid; create another one, or rotate this one',
  });
}

export function notUsable(): AppError {
  return notCurrent('the API key is revoked or expired; create a new one');
}

export function replacedBy(id: string): AppError {
  return notCurrent(`the API key ${id} has already replaced it; rotate that one`);
}

function notCurrent(message: string): AppError {
  return new AppError({ code: 'API_KEY_NOT_CURRENT', kind: 'conflict', message });
}
