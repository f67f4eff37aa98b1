import { AppError } from '#libs/kernel';
import type { ToolCatalogue } from '#libs/tooling';
import type { Claim } from '../ports/claim-store.js';
import type { ContextStore } from '../ports/context-store.js';
import type { RetryPolicy } from '../ports/retry-policy.js';

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
