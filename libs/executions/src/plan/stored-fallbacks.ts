import { FallbackModels, type FallbackModel } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import type { Budget } from '#libs/policy';
import type { AttemptDependencies } from '../attempt/attempt-dependencies.js';
import type { Claim } from '../ports/claim-store.js';
import type { RetryPolicy } from '../ports/retry-policy.js';
import type { StoredContext } from '../ports/stored-context.js';
import { parametersOf } from './plan-parameters.js';

/** Scope that the fallbacks are for. */
interface FallingScope {
  readonly claim: Claim;
  readonly usable: StoredContext;
  readonly budget: Pick<Budget, 'cost'>;
}

/** Fallback models of one scope, read from the tenant's model configurations when they are needed. */
export class StoredFallbacks extends FallbackModels {
  private readonly known = new Map<number, FallbackModel>();

  constructor(
    private readonly deps: Pick<AttemptDependencies, 'contexts' | 'models' | 'logger'>,
    private readonly scope: FallingScope,
    private readonly retries: RetryPolicy,
  ) {
    super();
  }

  /** Null also for a model of unknown price under a budget of cost, and for parameters that its provider refuses. */
  override async find(llmId: number): Promise<FallbackModel | null> {
    const known = this.known.get(llmId);
    if (known !== undefined) return known;
    const { claim, usable, budget } = this.scope;
    const llm = await this.deps.contexts.findLlm(claim.tenantId, llmId, this.retries);
    if (llm === null || !llm.isActive) return null;
    try {
      const { id: name = llm.model, model, parameters: rules, prices, costOf } = this.deps.models.of(llm);
      const parameters = parametersOf(claim, { ...usable, llm });
      const isUnpriced = budget.cost !== null && prices === null;
      if (isUnpriced || rules.findFaults(parameters).length > 0) return null;
      const found = { llmId, name, model, parameters, costOf };
      this.known.set(llmId, found);
      return found;
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      const { executionId } = claim;
      this.deps.logger.warn({ err, executionId, llmId }, 'fallback model not usable');
      return null;
    }
  }
}
