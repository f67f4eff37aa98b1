import type { ToolRun } from '#libs/tooling';
import type { Claim } from '../ports/claim-store.js';

/** The part of a claim that its tools depend on. */
export type ClaimOfTools = Pick<Claim, 'tenantId' | 'executionId' | 'sessionId' | 'request'>;

/** Facts about a claimed execution that its tools and tool sources receive. */
export function toToolRun(
  { tenantId, executionId, sessionId, request }: ClaimOfTools,
  scope: ToolRun['scope'],
): ToolRun {
  return { tenantId, executionId, sessionId, scope, executor: request.executor ?? null };
}
