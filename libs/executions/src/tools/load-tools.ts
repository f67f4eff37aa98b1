import { LeaseLostError, mayStillWrite } from '#libs/agent-core';
import { unlessAborted } from '#libs/concurrency';
import type { AppError, Timers } from '#libs/kernel';
import { ToolsAwayError, type ToolCatalogue, type ToolLoad, type ToolSource } from '#libs/tooling';
import type { Claim } from '../ports/claim-store.js';

/** Maximum time of a tool source, in milliseconds. */
const MAX_LOAD_MS = 20_000;
/** Time limit after a cancellation or the deadline, in milliseconds: tools that load at once allow an exact settlement. */
const STOPPED_LOAD_MS = 1_000;

/**
 * Loads the tools of one run. A source that exceeds its time is abandoned: throws the retryable `TOOLS_UNAVAILABLE`, or
 * errors of the source. Null when the signal reports cancellation or the deadline and no tools are loaded; that takes
 * precedence over errors of the source. Throws `LeaseLostError` after a lost lease.
 */
export async function loadTools(
  source: ToolSource,
  context: ToolLoad,
  { executionId, epoch }: Pick<Claim, 'executionId' | 'epoch'>,
  timers: Timers,
): Promise<ToolCatalogue | null> {
  const { signal: stop } = context;
  const late = new AbortController();
  const giveUp = (): void => late.abort();
  const cancels = [timers.after(MAX_LOAD_MS, giveUp)];
  const hurry = (): void => {
    if (mayStillWrite(stop)) cancels.push(timers.after(STOPPED_LOAD_MS, giveUp));
    else giveUp();
  };
  if (stop.aborted) hurry();
  else stop.addEventListener('abort', hurry, { once: true });
  try {
    const loading = source.load({ ...context, signal: late.signal });
    return await unlessAborted(loading, late.signal, givenUp);
  } catch (error) {
    if (stop.aborted && mayStillWrite(stop)) return null;
    if (stop.aborted) throw new LeaseLostError(executionId, epoch);
    throw late.signal.aborted ? unavailable(error) : error;
  } finally {
    stop.removeEventListener('abort', hurry);
    for (const cancel of cancels) cancel();
  }
}

function unavailable(cause: unknown): AppError {
  const message = `a source of the agent's tools did not answer within ${MAX_LOAD_MS / 1_000} s`;
  return new ToolsAwayError(null, message, cause);
}

function givenUp(): Error {
  return new Error('the load of tools was given up');
}
