import type { Pricing } from '#libs/agent-core';
import type { Claim } from '../ports/claim-store.js';
import type { RetryPolicy } from '../ports/retry-policy.js';
import { isInfrastructureFailure } from '../ports/storage-failure.js';
import type { AttemptDependencies } from './attempt-dependencies.js';

/** Model used by the attempts of an execution. */
export interface AskedModel {
  /** Null when the model's configuration is missing or unreadable. */
  readonly name: string | null;
  readonly pricing: Pricing;
}

const NO_PRICES: Pricing = { costOf: () => null, prices: null };

/**
 * Finds the model and its prices, so that earlier attempts' usage is priced even if this attempt never reached the model.
 */
export async function findAskedModel(
  deps: Pick<AttemptDependencies, 'contexts' | 'models' | 'logger' | 'classifyStorageError'>,
  claim: Claim,
  retries: RetryPolicy,
): Promise<AskedModel> {
  let name: string | null = null;
  try {
    const stored = await deps.contexts.load(claim, retries);
    if (stored === null) return { name, pricing: NO_PRICES };
    name = stored.llm.model;
    const model = deps.models.of(stored.llm);
    return { name: model.id ?? name, pricing: model };
  } catch (err) {
    if (isInfrastructureFailure(err, deps.classifyStorageError)) throw err;
    deps.logger.warn({ err, executionId: claim.executionId }, 'model call of unknown price');
    return { name, pricing: NO_PRICES };
  }
}
