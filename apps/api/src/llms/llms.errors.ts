import { AppError } from '#libs/kernel';
import { InvalidRequestError } from '../http/request-errors.js';

export function llmNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Model configuration not found' });
}

export function llmInUse(): AppError {
  return new AppError({
    code: 'LLM_IN_USE',
    kind: 'conflict',
    message: 'Agents use this model configuration; change those agents first',
  });
}

export function noWorker(): AppError {
  return new AppError({
    code: 'NO_WORKER',
    kind: 'unavailable',
    message: 'No worker that can call the provider is available',
    retryable: true,
  });
}

export function notValidated(): AppError {
  return new AppError({
    code: 'NOT_VALIDATED',
    kind: 'unavailable',
    message: 'The worker that called the provider did not answer in time',
    retryable: true,
  });
}

export function missingKey(field: string, detail: string): InvalidRequestError {
  return new InvalidRequestError([{ pointer: `#/credentials/${field}`, detail }]);
}

/** Refuses credential fields that belong to another provider. */
export function foreignFields(provider: string, fields: readonly string[]): InvalidRequestError {
  const detail = `is not a field of the provider ${provider}; see /api/models/`;
  return new InvalidRequestError(fields.map((field) => ({ pointer: `#/credentials/${field}`, detail })));
}

/** A change of provider requires new credentials. */
export function missingCredentials(): InvalidRequestError {
  const detail = 'is required when the provider changes: a stored key is never sent to another server';
  return new InvalidRequestError([{ pointer: '#/credentials', detail }]);
}

/** Turns a provider's credential error into a fault of its field; returns other errors unchanged. */
export function asFieldFault(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID_CREDENTIALS') return error;
  const { field } = error.details;
  const pointer = typeof field === 'string' ? `#/credentials/${field}` : '#/credentials';
  return new InvalidRequestError([{ pointer, detail: error.message }]);
}
