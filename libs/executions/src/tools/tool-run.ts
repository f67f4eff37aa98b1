import type { ToolRun } from '#libs/tooling';
import type { Claim } from '../ports/claim-store.js';

/** Facts about a claimed execution that its tools and tool sources receive. */
export function toToolRun(
  { tenantId, executionId, sessionId, request }: Claim,
  scope: ToolRun['scope'],
): ToolRun {
  return { tenantId, executionId, sessionId, scope, executor: request.executor ?? null };
}
