import type { Pricing } from '#libs/agent-core';
import type { Claim } from '../ports/claim-store.js';
import type { Patience } from '../ports/patience.js';
import { isInfrastructureFailure } from '../ports/storage-failure.js';
import type { AttemptDependencies } from './attempt-dependencies.js';

/** Of a model whose configuration is gone, or unreadable. */
const NO_PRICES: Pricing = { costOf: () => null, prices: null };

/** What earlier attempts spent is priced, also where this one never got as far as its model. */
export async function findPricing(
  deps: Pick<AttemptDependencies, 'contexts' | 'models' | 'logger' | 'judgeStorageError'>,
  claim: Claim,
  patience: Patience,
): Promise<Pricing> {
  try {
    const stored = await deps.contexts.load(claim, patience);
    return stored ? deps.models.of(stored.llm) : NO_PRICES;
  } catch (err) {
    if (isInfrastructureFailure(err, deps.judgeStorageError)) throw err;
    deps.logger.warn({ err, executionId: claim.executionId }, 'spending not priced');
    return NO_PRICES;
  }
}
