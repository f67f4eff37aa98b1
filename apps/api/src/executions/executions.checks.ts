import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/kernel';
import { ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import type { ExecuteRequest } from '#libs/payloads';
import { LlmStore, TenantStore, type AgentView } from '#libs/persistence';
import type { TenantSettings } from '#libs/policy';
import { ToolCatalogue } from '#libs/tooling';
import { findOptionFaults } from '../agents/option-faults.js';
import { findApprovalFaults } from '../agents/tool-faults.js';
import { InvalidRequestError } from '../http/request-errors.js';
import { tenantNotFound } from '../tenants/tenants.faults.js';

/** Judges who asks, before anything is stored (S4-2). A worker judges again: tenant and model may have changed by then. */
@Injectable()
export class CheckStanding {
  constructor(private readonly tenants: TenantStore) {}

  /**
   * The limits of the tenant. Throws `NOT_FOUND` without a tenant, `INACTIVE_RESOURCE` where tenant or model
   * configuration is inactive, and an `InvalidRequestError` for an input that is too long for this tenant.
   */
  async execute(
    tenantId: string,
    agent: AgentView,
    { input }: Pick<ExecuteRequest, 'input'>,
  ): Promise<TenantSettings['limits']> {
    const { tenant, isModelActive } = await this.tenants.findStanding(tenantId, agent.llm);
    if (tenant === null) throw tenantNotFound();
    if (tenant.status !== 'active') throw inactive('tenant');
    if (!isModelActive) throw inactive('model configuration');
    const { limits } = tenant.settings;
    const longest = limits.input_characters;
    if (longest !== null && input.length > longest)
      throw new InvalidRequestError([{ pointer: '#/input', detail: `at most ${longest} characters` }]);
    return limits;
  }
}

function inactive(what: string): AppError {
  return new AppError({
    code: 'INACTIVE_RESOURCE',
    kind: 'invalid_input',
    message: `the ${what} is inactive`,
  });
}

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
