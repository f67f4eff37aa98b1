/**
 * The result of `work`, unless `signal` is aborted before: then it throws `gaveUp()`, and the work goes on unattended. For a
 * time limit in milliseconds the signal is `AbortSignal.timeout(ms)`.
 */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  gaveUp: () => Error,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(gaveUp());
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // A signal with a time keeps its listeners, and all that they hold, until that time is over.
    signal.removeEventListener('abort', giveUp);
  }
}
