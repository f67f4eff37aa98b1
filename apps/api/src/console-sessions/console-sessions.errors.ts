import { AppError } from '#libs/kernel';
import { UnauthenticatedError } from '../http/request-errors.js';

export function keyNotValid(): UnauthenticatedError {
  return new UnauthenticatedError('the API key is not valid', 'Bearer realm="capstan"');
}

export function noSignIn(): AppError {
  return new AppError({
    code: 'SIGN_IN_OFF',
    kind: 'unprocessable',
    message: 'sign-in is off: with AUTH=off no key is needed',
  });
}

export function sessionNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'console session not found' });
}

export function notInSession(): AppError {
  return new AppError({
    code: 'NOT_FOUND',
    kind: 'not_found',
    message: 'the request has no session cookie, so there is no session to end',
  });
}
