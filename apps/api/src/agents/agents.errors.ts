import { RUNNABLE_USECASES } from '#libs/executions';
import { AppError } from '#libs/kernel';
import { InvalidRequestError } from '../http/request-errors.js';

export function agentNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Agent not found' });
}

export function agentVersionNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Agent version not found' });
}

/** Error for a request that names a version which the agent has never had. */
export function unknownAgentVersion(): InvalidRequestError {
  return new InvalidRequestError([{ pointer: '#/agent_version', detail: 'the agent has no such version' }]);
}

const UNSUPPORTED = {
  code: 'UNSUPPORTED_USECASE_TYPE',
  kind: 'unprocessable',
  message: 'Unsupported usecase_type',
} as const;

/** Error for an agent with a type that this release does not know (S3-30). */
export function unsupportedUsecaseType(): AppError {
  return new AppError(UNSUPPORTED);
}

/** Error for a body with an unknown usecase type. */
export function unknownUsecaseType(): InvalidRequestError {
  const detail = `must be one of ${RUNNABLE_USECASES.join(', ')}`;
  return new InvalidRequestError([{ pointer: '#/usecase_type', detail }], UNSUPPORTED);
}

export function llmNotFound(): InvalidRequestError {
  return new InvalidRequestError([
    { pointer: '#/llm', detail: 'there is no model configuration with this id' },
  ]);
}
