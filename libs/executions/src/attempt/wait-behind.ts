import { ModelHostUnavailableError } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { ToolsAwayError } from '#libs/tooling';
import type { QueuedWait } from '../ports/claim-store.js';

export type WaitBehind = Omit<QueuedWait, 'waitedMs'>;

/**
 * The wait for which an attempt requeues its execution; null if the error is not about an external dependency.
 * @param model name of the model; null while it is unknown
 */
export function waitBehind(error: unknown, model: string | null): WaitBehind | null {
  if (error instanceof ModelHostUnavailableError)
    return { kind: 'provider_backoff', name: model, message: error.message, delayMs: error.retryAfterMs };
  if (error instanceof ToolsAwayError)
    return { kind: 'tool_server', name: error.serverName, message: error.message, delayMs: null };
  if (error instanceof AppError && error.code === 'RETRIEVAL_FAILED' && error.retryable)
    return { kind: 'provider_backoff', name: null, message: error.message, delayMs: null };
  return null;
}
