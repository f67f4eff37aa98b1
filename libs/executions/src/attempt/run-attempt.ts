import { LeaseLostError, ModelHostUnavailableError, type FailureDetails } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import type { Claim } from '../ports/claim-store.js';
import type { AttemptEnding } from '../ports/execution-meter.js';
import { isInfrastructureFailure, type ClassifyStorageError } from '../ports/storage-failure.js';
import { Attempt, type AttemptStart } from './attempt.js';
import type { AttemptDependencies } from './attempt-dependencies.js';
import { waitBehind } from './wait-behind.js';

/**
 * Runs one claimed attempt until it is settled, parked or released, and returns its ending. Throws errors of the
 * environment after the execution was requeued.
 */
export async function runAttempt(
  deps: AttemptDependencies,
  claim: Claim,
  drain: AbortSignal,
  start: AttemptStart = {},
): Promise<AttemptEnding> {
  const attempt = new Attempt(deps, claim, drain, start);
  try {
    await attempt.run();
  } catch (error) {
    await handle(deps, error, attempt);
  } finally {
    await attempt.end();
  }
  return attempt.endsAs;
}

/** Settles a claimed execution as failed without running it; returns the attempt's ending. */
export async function endAsFailed(
  deps: AttemptDependencies,
  claim: Claim,
  failure: FailureDetails,
): Promise<AttemptEnding> {
  const attempt = new Attempt(deps, claim, new AbortController().signal);
  try {
    await attempt.settleFailed(failure);
  } catch (error) {
    await handle(deps, error, attempt);
  } finally {
    await attempt.end();
  }
  return attempt.endsAs;
}

async function handle(deps: AttemptDependencies, error: unknown, attempt: Attempt): Promise<void> {
  if (!isItsOwn(error, deps.classifyStorageError)) {
    await releaseUnsettled(deps, error, attempt);
    return;
  }
  deps.logger.error({ err: error, executionId: attempt.claim.executionId }, 'attempt aborted');
  try {
    await attempt.settleFailed(toFailure(error));
  } catch (failure) {
    await releaseUnsettled(deps, failure, attempt);
  }
}

/** Whether the error ends the execution. Other errors are transient, or another worker handles the execution. */
function isItsOwn(error: unknown, classify: ClassifyStorageError): boolean {
  if (error instanceof LeaseLostError || error instanceof ModelHostUnavailableError) return false;
  return !isInfrastructureFailure(error, classify);
}

/** Releases the execution after an error that this attempt cannot settle. */
async function releaseUnsettled(deps: AttemptDependencies, error: unknown, attempt: Attempt): Promise<void> {
  const { executionId, epoch } = attempt.claim;
  if (error instanceof LeaseLostError) {
    deps.logger.warn({ executionId, epoch }, 'lease lost; another attempt goes on');
    await attempt.releaseCutOff();
    return;
  }
  if (error instanceof AppError && error.code === 'JOURNAL_TOO_NEW') {
    deps.logger.warn({ err: error, executionId }, 'left for a newer release');
    await attempt.requeueForNewerVersion();
    return;
  }
  const wait = waitBehind(error, attempt.modelName);
  if (wait !== null) {
    const { kind, name, delayMs } = wait;
    deps.logger.warn({ err: error, executionId, kind, name, delayMs }, 'execution waits');
    await attempt.postpone(wait);
    return;
  }
  deps.logger.error({ err: error, executionId }, 'attempt released');
  await attempt.requeueWithBackoff();
  throw error;
}

/** Only the message of an `AppError` may reach a client (S4-39). */
function toFailure(error: unknown): FailureDetails {
  if (error instanceof AppError && error.kind !== 'internal')
    return { code: error.code, message: error.message };
  return { code: 'INTERNAL_ERROR', message: 'the execution failed because of an internal error' };
}
