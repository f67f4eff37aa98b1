import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/kernel';
import type { ExecuteRequest } from '#libs/payloads';
import { TenantStore, type AgentView } from '#libs/persistence';
import type { TenantSettings } from '#libs/policy';
import { InvalidRequestError } from '../http/invalid-request.error.js';
import { tenantNotFound } from '../tenants/tenant.faults.js';

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
