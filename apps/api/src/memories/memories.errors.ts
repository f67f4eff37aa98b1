import { AppError } from '#libs/kernel';
import { MAX_MEMORIES } from '#libs/policy';

export function memoryNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Memory not found' });
}

export function memoryExists(): AppError {
  return new AppError({
    code: 'MEMORY_EXISTS',
    kind: 'conflict',
    message: 'this is remembered of the executor already',
  });
}

export function tooManyMemories(): AppError {
  return new AppError({
    code: 'TOO_MANY_MEMORIES',
    kind: 'unprocessable',
    message: `there are ${MAX_MEMORIES} memories of this executor already; delete one first`,
  });
}
