import type { CheckedRows } from '#libs/executions';
import { readTenantSettings } from '#libs/policy';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { rowMark } from './checked-rows.js';
import type { AgentView } from '../resources/agent.store.js';
import type { LlmView } from '../resources/llm.store.js';
import type { TenantView } from '../resources/tenant.store.js';

/** Stored data that a request to run an agent is validated against. */
export interface SubmissionGrounds {
  readonly agent: Pick<AgentView, 'usecase_type' | 'config' | 'is_active'>;
  readonly llm: Pick<LlmView, 'provider' | 'model' | 'extra' | 'pricing' | 'is_active'> | null;
  /** Null if the tenant does not exist. */
  readonly tenant: Pick<TenantView, 'status' | 'settings'> | null;
  readonly checkedBy: CheckedRows;
}

type Row = Omit<SubmissionGrounds, 'tenant'> & {
  readonly tenant: { readonly status: TenantView['status']; readonly settings: object } | null;
};

export class SubmissionGroundsStore {
  constructor(private readonly dataSource: Pick<DataSource, 'query'>) {}

  /** Reads in one round trip; null if the tenant has no such agent. */
  find(tenantId: string, agentId: number): Promise<SubmissionGrounds | null> {
    return this.read(tenantId, agentId, null);
  }

  /** As {@link find}, with strategy, parameters and model of one version; null where the agent has no such version. */
  findVersion(tenantId: string, agentId: number, version: number): Promise<SubmissionGrounds | null> {
    return this.read(tenantId, agentId, version);
  }

  private async read(
    tenantId: string,
    agentId: number,
    version: number | null,
  ): Promise<SubmissionGrounds | null> {
    const [row] = await queryRows<Row>(this.dataSource, FIND_SQL, [tenantId, agentId, version]);
    if (!row) return null;
    const { tenant } = row;
    return { ...row, tenant: tenant && { ...tenant, settings: readTenantSettings(tenant.settings) } };
  }
}

const FIND_SQL = `
  SELECT jsonb_build_object('usecase_type', pinned.usecase_type, 'config', pinned.config, 'is_active', agent.is_active) AS agent,
         CASE WHEN llm.id IS NOT NULL THEN jsonb_build_object('provider', llm.provider, 'model', llm.model, 'extra', llm.extra,
           'pricing', llm.pricing, 'is_active', llm.is_active) END AS llm,
         CASE WHEN tenant.id IS NOT NULL THEN
           jsonb_build_object('status', tenant.status, 'settings', tenant.settings) END AS tenant,
         jsonb_build_object('agent', ${rowMark('agent')}, 'llm', coalesce(${rowMark('llm')}, ''),
           'tenant', coalesce(${rowMark('tenant')}, '')) AS "checkedBy"
    FROM agent
    JOIN agent_version pinned ON pinned.agent_id = agent.id AND pinned.version = coalesce($3::int, agent.version)
    LEFT JOIN llm ON llm.id = pinned.llm_id AND llm.tenant_id = agent.tenant_id
    LEFT JOIN tenant ON tenant.id = agent.tenant_id
   WHERE agent.tenant_id = $1 AND agent.id = $2`;
