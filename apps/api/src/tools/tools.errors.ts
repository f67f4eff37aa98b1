import { AppError } from '#libs/kernel';

export function toolNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Tool not found' });
}

export function noWorker(): AppError {
  return new AppError({
    code: 'NO_WORKER',
    kind: 'unavailable',
    message: 'No worker that can call the tool server is available',
    retryable: true,
  });
}

export function notTried(): AppError {
  return new AppError({
    code: 'NOT_TRIED',
    kind: 'unavailable',
    message: 'The worker that called the tool server did not answer in time: a call may have taken effect',
  });
}
