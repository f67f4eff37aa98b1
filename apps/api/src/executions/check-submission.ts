import { Injectable } from '@nestjs/common';
import { ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import type { ExecuteRequest } from '#libs/payloads';
import { LlmStore, type AgentView } from '#libs/persistence';
import { ToolCatalogue } from '#libs/tooling';
import { findOptionFaults } from '../agents/option-faults.js';
import { findApprovalFaults } from '../agents/tool-faults.js';
import { InvalidRequestError } from '../http/invalid-request.error.js';

/** Judges what a request changes of its agent: what could only fail later is refused before it is accepted. */
@Injectable()
export class CheckSubmission {
  constructor(
    private readonly llms: LlmStore,
    private readonly catalogue: ModelCatalogue,
    private readonly providers: ProviderRegistry,
    private readonly tools: ToolCatalogue,
  ) {}

  /** Throws an `InvalidRequestError` with every fault. The model is read only where there are options. */
  async execute(tenantId: string, agent: AgentView, { options }: ExecuteRequest): Promise<void> {
    const faults = findApprovalFaults(options, 'options', this.tools);
    const llm = Object.keys(options).length > 0 ? await this.llms.find(tenantId, agent.llm) : null;
    if (llm !== null) {
      const place = { field: 'options', below: [llm.view.extra, agent.config] } as const;
      const { catalogue, providers } = this;
      faults.push(...findOptionFaults(options, llm.view, place, { catalogue, providers }));
    }
    if (faults.length > 0) throw new InvalidRequestError(faults);
  }
}
