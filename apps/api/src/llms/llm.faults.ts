import { AppError } from '#libs/kernel';
import { InvalidRequestError } from '../http/invalid-request.error.js';

export function llmNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Model configuration not found' });
}

export function llmInUse(): AppError {
  return new AppError({
    code: 'LLM_IN_USE',
    kind: 'conflict',
    message: 'Agents refer to this model configuration; give them another one first',
  });
}

export function cannotKeepKeys(): AppError {
  return new AppError({
    code: 'ENCRYPTION_NOT_CONFIGURED',
    kind: 'unprocessable',
    message: 'This server cannot keep keys: its ENCRYPTION_KEY is not set',
  });
}

export function missingKey(detail: string): InvalidRequestError {
  return new InvalidRequestError([{ pointer: '#/credentials/openai_api_key', detail }]);
}

/** What the provider's rules say of a credential, at the field it is about. */
export function asFieldFault(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID_CREDENTIALS') return error;
  const { field } = error.details;
  const pointer = typeof field === 'string' ? `#/credentials/${field}` : '#/credentials';
  return new InvalidRequestError([{ pointer, detail: error.message }]);
}
