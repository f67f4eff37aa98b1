import { LeaseLostError, mayStillWrite } from '#libs/agent-core';
import { unlessAborted } from '#libs/concurrency';
import { AppError, type Timers } from '#libs/kernel';
import {
  type ToolCatalogue,
  type ToolLoad,
  type ToolRun,
  ToolsAwayError,
  type ToolSource,
} from '#libs/tooling';
import type { Claim } from '../ports/claim-store.js';
import type { ContextStore } from '../ports/context-store.js';
import type { RetryPolicy } from '../ports/retry-policy.js';

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

/** The part of a claim that its tools depend on. */
export type ClaimOfTools = Pick<Claim, 'tenantId' | 'executionId' | 'sessionId' | 'request'>;

/** Facts about a claimed execution that its tools and tool sources receive. */
export function toToolRun(
  { tenantId, executionId, sessionId, request }: ClaimOfTools,
  scope: ToolRun['scope'],
): ToolRun {
  return { tenantId, executionId, sessionId, scope, executor: request.executor ?? null };
}

/**
 * Throws an `AppError` (`VALIDATION_ERROR`) that names the tools with agents that became unusable after the caller was
 * saved; such tools must not silently disappear.
 * @param catalogue tools of the caller
 */
export async function assertCallableAgents(
  catalogue: ToolCatalogue,
  { tenantId }: Pick<Claim, 'tenantId'>,
  contexts: Pick<ContextStore, 'findUsableAgents'>,
  retries: RetryPolicy,
): Promise<void> {
  const called = catalogue.names().flatMap((name) => {
    const agents = catalogue.find(name)?.agents ?? [];
    return agents.map((agentId) => ({ name, agentId }));
  });
  if (called.length === 0) return;
  const ids = [...new Set(called.map(({ agentId }) => agentId))];
  const usable = await contexts.findUsableAgents(tenantId, ids, retries);
  const faults = called
    .filter(({ agentId }) => !usable.has(agentId))
    .map(({ name, agentId }) => `${name} calls agent ${agentId}, which does not exist or is inactive`);
  if (faults.length === 0) return;
  throw new AppError({
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
    message: `the tools of the agent are not usable: ${faults.join('; ')}`,
  });
}

/** Maximum time for closing tool resources at the end of an attempt, in milliseconds; slower servers are abandoned. */
const MAX_CLOSING_MS = 2_000;

/** Closes the resources that tool sources opened for one attempt. */
export class RunEnd {
  private readonly closings: (() => Promise<void>)[] = [];
  private hasEnded = false;

  /** @param wait resolves after the given milliseconds */
  constructor(private readonly wait: (ms: number) => Promise<void>) {}

  /** Arrow function: tool sources receive it without its object. */
  readonly onEnd = (close: () => Promise<void>): void => {
    if (this.hasEnded) void closeQuietly(close);
    else this.closings.push(close);
  };

  get hasNothingOpen(): boolean {
    return this.closings.length === 0;
  }

  /** Never rejects. Resolves at once if no resource is open. */
  async end(): Promise<void> {
    this.hasEnded = true;
    const closings = this.closings.splice(0);
    if (closings.length === 0) return;
    await Promise.race([Promise.all(closings.map(closeQuietly)), this.wait(MAX_CLOSING_MS)]);
  }
}

async function closeQuietly(close: () => Promise<void>): Promise<void> {
  try {
    await close();
  } catch {
    // Failures to close are ignored: no part of the run depends on them.
  }
}
