import { AppError } from '#libs/kernel';

export function noSuchOrderRequest(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Order request not found' });
}

export function otherVersion(): AppError {
  return new AppError({
    code: 'VERSION_CHANGED',
    kind: 'precondition_failed',
    message: 'the resource has changed since the version of If-Match; read it again',
  });
}

export function isSent(): AppError {
  return conflict({
    code: 'ORDER_REQUEST_SENT',
    message: 'the order request is being sent or was sent: it can no longer be changed',
  });
}

export function outcomeUnknown(): AppError {
  return conflict({
    code: 'ORDER_REQUEST_OUTCOME_UNKNOWN',
    message:
      'the ordering service may have this order: send it again as it is until an answer says so or not, or say what became ' +
      'of it (POST …/outcome/)',
  });
}

export function outcomeKnown(): AppError {
  return conflict({
    code: 'ORDER_REQUEST_OUTCOME_KNOWN',
    message: 'the ordering service does not have this order',
  });
}

export function notConfirmed(): AppError {
  return conflict({
    code: 'ORDER_REQUEST_NOT_CONFIRMED',
    message: 'is_saved is false: a person has to confirm the order request first',
  });
}

export function serviceMissing(): AppError {
  return conflict({
    code: 'ORDERING_SERVICE_MISSING',
    message: 'the tenant has no ordering service: PUT /api/ordering-service/ names one',
  });
}

export function serviceChanged(): AppError {
  return conflict({
    code: 'ORDERING_SERVICE_CHANGED',
    message:
      'another ordering service may have this order already: it is sent nowhere else until somebody says what became of it ' +
      '(POST …/outcome/)',
  });
}

function conflict(refusal: { readonly code: string; readonly message: string }): AppError {
  return new AppError({ ...refusal, kind: 'conflict' });
}
