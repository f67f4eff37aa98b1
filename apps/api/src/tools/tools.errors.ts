import { AppError } from '#libs/kernel';

export function toolNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Tool not found' });
}

export function noWorker(): AppError {
  return new AppError({
    code: 'NO_WORKER',
    kind: 'unavailable',
    message: 'No worker that could ask the tool server has taken it up',
    retryable: true,
  });
}

export function notTried(): AppError {
  return new AppError({
    code: 'NOT_TRIED',
    kind: 'unavailable',
    message: 'The worker that asked the tool server has not answered: a call may have taken effect',
  });
}
