import type { Claim } from '#libs/persistence';
import type { ToolRun } from '#libs/tooling';

/** What the tools of a claimed execution, and the sources of them, learn of it. */
export function toToolRun(
  { tenantId, executionId, sessionId, request }: Claim,
  scope: ToolRun['scope'],
): ToolRun {
  return { tenantId, executionId, sessionId, scope, executor: request.executor ?? null };
}
