/**
 * Resolves to the result of `work`. If `signal` aborts first, it throws `gaveUp()`, and the late result is ignored. For
 * a time limit use `AbortSignal.timeout(ms)`.
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
    // A timeout signal and a composed one would retain the listener, and all that it references.
    signal.removeEventListener('abort', giveUp);
  }
}
