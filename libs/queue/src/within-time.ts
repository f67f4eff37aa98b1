import { AppError } from '#libs/kernel';

/** Throws `QUEUE_UNAVAILABLE` when `work` takes longer; what comes of it then is nobody's business any more. */
export async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unanswered()), ms);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function unanswered(): AppError {
  return new AppError({
    code: 'QUEUE_UNAVAILABLE',
    kind: 'unavailable',
    message: 'the queue does not answer',
    retryable: true,
  });
}
