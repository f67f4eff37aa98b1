import { Injectable } from '@nestjs/common';
import { ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import { LlmStore, type LlmFields } from '#libs/persistence';
import { ToolCatalogue } from '#libs/tooling';
import { RunMaxima } from '../strategies/run-maxima.js';
import { findOptionFaults, type OptionsModel } from '../agents/option-faults.js';
import { findApprovalFaults } from '../agents/tool-faults.js';
import { InvalidRequestError } from '../http/request-errors.js';

/** Validates the parameters of a model configuration. */
@Injectable()
export class CheckExtra {
  constructor(
    private readonly llms: LlmStore,
    private readonly catalogue: ModelCatalogue,
    private readonly providers: ProviderRegistry,
    private readonly tools: ToolCatalogue,
    private readonly maxima: RunMaxima,
  ) {}

  /**
   * Throws an `InvalidRequestError` with every fault.
   * @param keepsExtra the parameters are unchanged: they may exceed maxima that were lowered since
   */
  execute(model: OptionsModel, keepsExtra = false): void {
    const place = { field: 'extra', below: [] } as const;
    const { catalogue, providers } = this;
    const faults = [
      ...(keepsExtra ? [] : this.maxima.findFaults(model.extra, ['extra'])),
      ...findApprovalFaults(model.extra, 'extra', this.tools),
      ...findOptionFaults(model.extra, model, place, { catalogue, providers }),
    ];
    if (faults.length > 0) throw new InvalidRequestError(faults);
  }

  /** As `execute`, for a partial change: omitted fields keep their current values. */
  async executeChange(tenantId: string, id: number, given: Partial<LlmFields>): Promise<void> {
    if (given.extra === undefined && given.provider === undefined) return;
    const before = await this.llms.find(tenantId, id);
    // The update itself answers `NOT_FOUND`.
    if (before === null) return;
    const { provider, model, pricing, extra } = { ...before.view, ...given };
    this.execute({ provider, model, pricing, extra }, given.extra === undefined);
  }
}
