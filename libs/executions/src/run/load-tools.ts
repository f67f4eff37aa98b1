import { AppError, type Timers } from '#libs/kernel';
import type { ToolCatalogue, ToolSource, ToolSourceContext } from '#libs/tooling';

/** The longest that a source of tools may take, in milliseconds. */
const LONGEST_LOAD_MS = 20_000;
/** After the deadline as well: what is there at once can still be settled properly. */
const LEAST_LOAD_MS = 1_000;

export interface LoadTime {
  readonly timers: Timers;
  /** Milliseconds until the deadline of the execution; negative after it. */
  readonly remainingMs: () => number;
}

/**
 * The tools of one run, within the time of its execution: a source that does not answer, and does not mind its signal
 * either, is left behind. Throws `TOOLS_UNAVAILABLE` then, and what a source throws otherwise. Either is `retryable`
 * only as long as there is time: a source that never answers must not keep its execution from ever ending.
 */
export async function loadTools(
  source: ToolSource,
  context: ToolSourceContext,
  { timers, remainingMs }: LoadTime,
): Promise<ToolCatalogue> {
  const late = new AbortController();
  const limitMs = Math.min(LONGEST_LOAD_MS, Math.max(LEAST_LOAD_MS, remainingMs()));
  const cancel = timers.after(limitMs, () => late.abort());
  const signal = AbortSignal.any([context.signal, late.signal]);
  try {
    return await Promise.race([source.load({ ...context, signal }), rejectWhenAborted(signal)]);
  } catch (error) {
    const failure = signal.aborted ? unavailable(limitMs, error) : error;
    throw remainingMs() > 0 ? failure : withoutRetry(failure);
  } finally {
    cancel();
  }
}

function unavailable(limitMs: number, cause: unknown): AppError {
  return new AppError({
    code: 'TOOLS_UNAVAILABLE',
    kind: 'timeout',
    message: `a source of the agent's tools did not answer within ${Math.ceil(limitMs / 1_000)} s`,
    retryable: true,
    cause,
  });
}

function withoutRetry(failure: unknown): unknown {
  if (!(failure instanceof AppError) || !failure.retryable) return failure;
  const { code, kind, message, details } = failure;
  return new AppError({ code, kind, message, details, cause: failure });
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = (): void => {
      reject(new Error('the load of tools was given up'));
    };
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}
