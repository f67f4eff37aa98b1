import { AppError } from '#libs/kernel';
import { InvalidRequestError } from '../http/request-errors.js';

export function connectionNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Connection not found' });
}

export function noServerToConnect(): InvalidRequestError {
  const detail = 'must be a tool server of the tenant whose `auth` has the grant authorization_code';
  return new InvalidRequestError([{ pointer: '#/server_id', detail }]);
}

/** One message for every reason, so that a client guessing states learns nothing. */
export function stateUnknown(): AppError {
  return new AppError({
    code: 'CONNECTION_STATE_UNKNOWN',
    kind: 'unprocessable',
    message: 'the state is unknown, was already used, or is older than ten minutes',
  });
}

/** @param why a constant text of this service, never one of a server */
export function connectionFailed(why: string): AppError {
  return new AppError({
    code: 'CONNECTION_FAILED',
    kind: 'unprocessable',
    message: `the user could not be connected: ${why}`,
  });
}

export function notConnected(): AppError {
  return new AppError({
    code: 'NOT_CONNECTED',
    kind: 'unavailable',
    message: 'The worker did not answer in time while it asked the authorization server: connect again',
    retryable: true,
  });
}
