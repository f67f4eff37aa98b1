import { Injectable } from '@nestjs/common';
import { ModelCatalogue } from '#libs/model-providers';
import { LlmStore, type LlmFields } from '#libs/persistence';
import { ToolCatalogue } from '#libs/tooling';
import { findOptionFaults, needsModel, type OptionsModel } from '../agents/check-options.js';
import { findApprovalFaults } from '../agents/check-tool-names.js';
import { InvalidRequestError } from '../http/invalid-request.error.js';

/** Judges the parameters that a model configuration brings along. */
@Injectable()
export class CheckExtra {
  constructor(
    private readonly llms: LlmStore,
    private readonly catalogue: ModelCatalogue,
    private readonly tools: ToolCatalogue,
  ) {}

  /** Throws an `InvalidRequestError` with every fault. */
  execute(model: OptionsModel): void {
    const place = { field: 'extra', below: [] } as const;
    const faults = [
      ...findApprovalFaults(model.extra, 'extra', this.tools),
      ...findOptionFaults(model.extra, model, place, this.catalogue),
    ];
    if (faults.length > 0) throw new InvalidRequestError(faults);
  }

  /** As `execute`, for a change of some fields: what is not given is as it is now. */
  async executeChange(
    tenantId: string,
    id: number,
    { extra, model, pricing }: Partial<LlmFields>,
  ): Promise<void> {
    if (extra === undefined) return;
    const before = needsModel(extra) ? await this.llms.find(tenantId, id) : null;
    this.execute({
      extra,
      model: model ?? before?.view.model ?? '',
      pricing: pricing === undefined ? (before?.view.pricing ?? null) : pricing,
    });
  }
}
