import { AppError } from '#libs/kernel';
import { MAX_MEMORIES } from '#libs/policy';

export function memoryNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Memory not found' });
}

export function memoryExists(): AppError {
  return new AppError({
    code: 'MEMORY_EXISTS',
    kind: 'conflict',
    message: 'the executor already has this memory',
  });
}

export function tooManyMemories(): AppError {
  return new AppError({
    code: 'TOO_MANY_MEMORIES',
    kind: 'unprocessable',
    message: `the executor has ${MAX_MEMORIES} memories, the maximum; delete one first`,
  });
}
