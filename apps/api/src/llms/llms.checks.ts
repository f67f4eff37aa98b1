import { Injectable } from '@nestjs/common';
import { ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import { LlmStore, type LlmFields } from '#libs/persistence';
import { ToolCatalogue } from '#libs/tooling';
import { findOptionFaults, type OptionsModel } from '../agents/option-faults.js';
import { findApprovalFaults } from '../agents/tool-faults.js';
import { InvalidRequestError } from '../http/request-errors.js';

/** Judges the parameters that a model configuration brings along. */
@Injectable()
export class CheckExtra {
  constructor(
    private readonly llms: LlmStore,
    private readonly catalogue: ModelCatalogue,
    private readonly providers: ProviderRegistry,
    private readonly tools: ToolCatalogue,
  ) {}

  /** Throws an `InvalidRequestError` with every fault. */
  execute(model: OptionsModel): void {
    const place = { field: 'extra', below: [] } as const;
    const { catalogue, providers } = this;
    const faults = [
      ...findApprovalFaults(model.extra, 'extra', this.tools),
      ...findOptionFaults(model.extra, model, place, { catalogue, providers }),
    ];
    if (faults.length > 0) throw new InvalidRequestError(faults);
  }

  /** As `execute`, for a change of some fields: what is not given is as it is now. */
  async executeChange(tenantId: string, id: number, given: Partial<LlmFields>): Promise<void> {
    if (given.extra === undefined && given.provider === undefined) return;
    const before = await this.llms.find(tenantId, id);
    // Whoever changes it says that it is not there.
    if (before === null) return;
    const { provider, model, pricing, extra } = { ...before.view, ...given };
    this.execute({ provider, model, pricing, extra });
  }
}
