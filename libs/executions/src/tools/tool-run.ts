import type { ToolRun } from '#libs/tooling';
import type { Claim } from '../ports/claim-store.js';

/** What the tools of a claimed execution, and the sources of them, learn of it. */
export function toToolRun(
  { tenantId, executionId, sessionId, request }: Claim,
  scope: ToolRun['scope'],
): ToolRun {
  return { tenantId, executionId, sessionId, scope, executor: request.executor ?? null };
}
