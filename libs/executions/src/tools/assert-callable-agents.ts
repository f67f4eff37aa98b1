import { AppError } from '#libs/kernel';
import type { ToolCatalogue } from '#libs/tooling';
import type { Claim } from '../ports/claim-store.js';
import type { ContextStore } from '../ports/context-store.js';
import type { Patience } from '../ports/patience.js';

/**
 * An agent that has become unusable since its caller was written is never silently left out: whoever would call it
 * does not run.
 * Throws an `AppError` that names the tools, `VALIDATION_ERROR`.
 *
 * @param catalogue what the caller may call
 */
export async function assertCallableAgents(
  catalogue: ToolCatalogue,
  { tenantId }: Pick<Claim, 'tenantId'>,
  contexts: Pick<ContextStore, 'findUsableAgents'>,
  patience: Patience,
): Promise<void> {
  const called = catalogue.names().flatMap((name) => {
    const agents = catalogue.find(name)?.agents ?? [];
    return agents.map((agentId) => ({ name, agentId }));
  });
  if (called.length === 0) return;
  const ids = [...new Set(called.map(({ agentId }) => agentId))];
  const usable = await contexts.findUsableAgents(tenantId, ids, patience);
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
