import { unlessAborted } from '#libs/concurrency';
import { AppError } from '#libs/kernel';

/** Throws `QUEUE_UNAVAILABLE` if `work` takes longer than `ms` milliseconds. */
export async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  await unlessAborted(work, AbortSignal.timeout(ms), unanswered);
}

function unanswered(): AppError {
  return new AppError({
    code: 'QUEUE_UNAVAILABLE',
    kind: 'unavailable',
    message: 'the queue does not answer',
    retryable: true,
  });
}
