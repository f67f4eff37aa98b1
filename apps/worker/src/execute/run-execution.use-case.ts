import { LeaseLostError, ModelHostUnavailableError, type FailureDetails } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { Attempt } from './attempt.js';
import { isInfrastructureFailure } from './infrastructure-failure.js';
import type { RunExecutionDependencies } from './run-execution-dependencies.js';

/** One job: claim, run the loop, settle or hand back. Every ending is recorded; none of them fails the job. */
export class RunExecution {
  constructor(private readonly to: RunExecutionDependencies) {}

  async execute(executionId: string, drain: AbortSignal): Promise<void> {
    const result = await this.to.claims.claim(executionId, this.to.claimOptions());
    if (result.kind === 'not_runnable' || result.kind === 'not_now') return;
    const attempt = new Attempt(this.to, result.claim, drain);
    try {
      if (result.kind === 'poisoned') await attempt.settleFailed(POISONED);
      else await attempt.run();
    } catch (error) {
      await this.handle(error, attempt);
    } finally {
      attempt.end();
      this.to.onEnded();
    }
  }

  private async handle(error: unknown, attempt: Attempt): Promise<void> {
    const { executionId, epoch } = attempt.claim;
    if (error instanceof LeaseLostError) {
      this.to.logger.warn({ executionId, epoch }, 'lease lost; another worker goes on');
      return;
    }
    if (error instanceof AppError && error.code === 'JOURNAL_TOO_NEW') {
      this.to.logger.warn({ err: error, executionId }, 'left to a newer release');
      await attempt.leaveToOthers();
      return;
    }
    if (error instanceof ModelHostUnavailableError) {
      const { retryAfterMs } = error;
      this.to.logger.warn({ executionId, retryAfterMs }, 'the host of the model does not answer');
      await attempt.postpone(retryAfterMs);
      return;
    }
    this.to.logger.error({ err: error, executionId }, 'attempt broke off');
    if (isInfrastructureFailure(error)) {
      await this.to.claims.leaveToOthers(attempt.claim);
      throw error;
    }
    await attempt.settleFailed(toFailure(error));
  }
}

const POISONED: FailureDetails = {
  code: 'POISONED',
  message: 'the execution was given up: its workers ended without a word several times',
};

/** Only an `AppError` says something that a client may read (S4-39). */
function toFailure(error: unknown): FailureDetails {
  if (error instanceof AppError && error.kind !== 'internal')
    return { code: error.code, message: error.message };
  return { code: 'INTERNAL_ERROR', message: 'the execution failed because of an internal error' };
}
