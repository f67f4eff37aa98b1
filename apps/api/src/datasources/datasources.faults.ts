import { AppError } from '#libs/kernel';
import { InvalidRequestError } from '../http/request-errors.js';

export function datasourceNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Datasource not found' });
}

export function datasourceNameTaken(): AppError {
  const message = 'There is another datasource with this name';
  return new AppError({ code: 'DATASOURCE_NAME_TAKEN', kind: 'conflict', message });
}

export function datasourceInUse(what: string): AppError {
  const message = `The datasource has documents; ${what}`;
  return new AppError({ code: 'DATASOURCE_IN_USE', kind: 'conflict', message });
}

export function unknownLlm(): InvalidRequestError {
  return new InvalidRequestError([
    { pointer: '#/llm_id', detail: 'must be a model configuration of the tenant' },
  ]);
}

export function overlapTooLong(): InvalidRequestError {
  return new InvalidRequestError([{ pointer: '#/overlap_tokens', detail: 'must be less than chunk_tokens' }]);
}
