import type { Journal } from '#libs/agent-core';
import { isInfrastructureFailure } from '../ports/storage-failure.js';
import type { AttemptDependencies } from './attempt-dependencies.js';

/**
 * Writes the facts that the attempt still holds in memory for the next attempt. A fact that can never be written is
 * logged and dropped, so that it cannot block the execution.
 */
export async function handOver(
  journal: Journal,
  { classifyStorageError, logger }: Pick<AttemptDependencies, 'classifyStorageError' | 'logger'>,
  executionId: string,
): Promise<void> {
  try {
    await journal.handOver();
  } catch (err) {
    if (isInfrastructureFailure(err, classifyStorageError)) throw err;
    logger.error({ err, executionId }, 'facts not passed to the next attempt');
  }
}
