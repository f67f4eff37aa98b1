import { Refusal } from 'capstan/kit';

export function noSuchOrderRequest(): Refusal {
  return new Refusal('not_found', 'Order request not found');
}

export function otherVersion(): Refusal {
  return new Refusal(
    'precondition_failed',
    'the resource has changed since the version of If-Match; read it again',
  );
}

export function isSent(): Refusal {
  return conflict({
    code: 'ORDER_REQUEST_SENT',
    message: 'the order request is being sent or was sent: it can no longer be changed',
  });
}

export function outcomeUnknown(): Refusal {
  return conflict({
    code: 'ORDER_REQUEST_OUTCOME_UNKNOWN',
    message:
      'the ordering service may have this order: send it again as it is until an answer says so or not, or say what became ' +
      'of it (POST …/outcome/)',
  });
}

export function outcomeKnown(): Refusal {
  return conflict({
    code: 'ORDER_REQUEST_OUTCOME_KNOWN',
    message: 'the ordering service does not have this order',
  });
}

export function notConfirmed(): Refusal {
  return conflict({
    code: 'ORDER_REQUEST_NOT_CONFIRMED',
    message: 'is_saved is false: a person has to confirm the order request first',
  });
}

export function serviceMissing(): Refusal {
  return conflict({
    code: 'ORDERING_SERVICE_MISSING',
    message: 'the tenant has no ordering service: PUT /api/ordering-service/ names one',
  });
}

export function serviceChanged(): Refusal {
  return conflict({
    code: 'ORDERING_SERVICE_CHANGED',
    message:
      'another ordering service may have this order already: it is sent nowhere else until a person says what became of it ' +
      '(POST …/outcome/)',
  });
}

function conflict({ code, message }: { readonly code: string; readonly message: string }): Refusal {
  return new Refusal('conflict', message, { code });
}
