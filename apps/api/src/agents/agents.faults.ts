import { AppError } from '#libs/kernel';
import { InvalidRequestError } from '../http/request-errors.js';

export function agentNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Agent not found' });
}

export function agentVersionNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Agent version not found' });
}

/** A type of usecase that this release does not know (S3-30). */
export function unsupportedUsecaseType(): AppError {
  return new AppError({
    code: 'UNSUPPORTED_USECASE_TYPE',
    kind: 'unprocessable',
    message: 'Unsupported usecase_type',
  });
}

export function llmNotFound(): InvalidRequestError {
  return new InvalidRequestError([
    { pointer: '#/llm', detail: 'there is no model configuration with this id' },
  ]);
}
