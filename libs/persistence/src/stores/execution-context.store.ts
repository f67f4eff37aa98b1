import type { DataSource } from 'typeorm';
import {
  ContextStore,
  type AgentVersionKey,
  type Claim,
  type Patience,
  type StoredAgent,
  type StoredContext,
  type StoredLlm,
  type StoredMessage,
  type StoredTenant,
} from '#libs/executions';
import type { JsonObject } from '#libs/kernel';
import { readTenantSettings, type ListedSkill } from '#libs/policy';
import { queryRows } from '../sql.js';
import { preparationSchema } from './journal-entry.schema.js';
import { askPatiently } from './write-patience.js';

interface AgentRow {
  readonly is_active: boolean;
  readonly version: number;
  readonly usecase_type: string;
  readonly system_prompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm: StoredLlm;
  readonly tenant: (Omit<StoredTenant, 'settings'> & { readonly settings: object }) | null;
  readonly skills: readonly ListedSkill[] | null;
}

interface ContextRow extends AgentRow {
  readonly preparation: object | null;
  readonly messages: readonly StoredMessage[] | null;
}

export class ExecutionContextStore extends ContextStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async load(
    { executionId, tenantId, sessionId }: Claim,
    patience: Patience,
  ): Promise<StoredContext | null> {
    const ask = () => queryRows<ContextRow>(this.dataSource, CONTEXT_SQL, [executionId, tenantId, sessionId]);
    const [row] = await askPatiently(ask, patience);
    if (!row) return null;
    // What cannot be read here is found by whoever reads the journal, and judged there.
    const preparation = preparationSchema.safeParse(row.preparation).data ?? null;
    return { ...toAgent(row), preparation, messages: row.messages ?? [] };
  }

  override async loadAgent(
    { tenantId, agentId, version }: AgentVersionKey,
    patience: Patience,
  ): Promise<StoredAgent | null> {
    const ask = () => queryRows<AgentRow>(this.dataSource, AGENT_SQL, [tenantId, agentId, version]);
    const [row] = await askPatiently(ask, patience);
    return row ? toAgent(row) : null;
  }

  override async findUsableAgents(
    tenantId: string,
    agentIds: readonly number[],
    patience: Patience,
  ): Promise<ReadonlySet<number>> {
    const ask = () => queryRows<{ id: number }>(this.dataSource, USABLE_AGENTS_SQL, [tenantId, agentIds]);
    return new Set((await askPatiently(ask, patience)).map(({ id }) => id));
  }
}

function toAgent(row: AgentRow): StoredAgent {
  return {
    agentIsActive: row.is_active,
    agentVersion: row.version,
    tenant: row.tenant && { ...row.tenant, settings: readTenantSettings(row.tenant.settings) },
    skills: row.skills ?? [],
    usecaseType: row.usecase_type,
    systemPrompt: row.system_prompt,
    config: row.config,
    tools: row.tools,
    llm: row.llm,
  };
}

const AGENT_COLUMNS = `
         agent.is_active, pinned.version, pinned.usecase_type, pinned.system_prompt, pinned.config, pinned.tools,
         jsonb_build_object(
           'id', llm.id, 'tenantId', llm.tenant_id, 'isActive', llm.is_active, 'provider', llm.provider, 'model', llm.model,
           'extra', llm.extra, 'credentials', llm.credentials, 'apiKeySealed', llm.api_key_sealed, 'pricing', llm.pricing
         ) AS llm,
         (SELECT jsonb_build_object('isActive', tenant.status = 'active', 'systemPrompt', tenant.system_prompt,
                   'settings', tenant.settings)
            FROM tenant WHERE tenant.id = agent.tenant_id) AS tenant,
         (SELECT jsonb_agg(jsonb_build_object('name', skill.name, 'description', skill.description) ORDER BY skill.name COLLATE "C")
            FROM skill WHERE skill.tenant_id = agent.tenant_id AND skill.is_active) AS skills`;

const AGENT_SQL = `
  SELECT ${AGENT_COLUMNS}
    FROM agent
    JOIN agent_version pinned ON pinned.agent_id = agent.id AND pinned.version = coalesce($3::int, agent.version)
    JOIN llm ON llm.id = pinned.llm_id
   WHERE agent.tenant_id = $1 AND agent.id = $2`;

const USABLE_AGENTS_SQL = `
  SELECT agent.id FROM agent JOIN llm ON llm.id = agent.llm_id
   WHERE agent.tenant_id = $1 AND agent.id = ANY ($2::int[]) AND agent.is_active AND llm.is_active`;

const CONTEXT_SQL = `
  SELECT ${AGENT_COLUMNS}, prepared.data AS preparation,
         (SELECT jsonb_agg(jsonb_build_object('role', role, 'content', content, 'data', data) ORDER BY turn_number, ordinal)
            FROM chat_message
           WHERE session_id = $3
             AND (role = 'system' OR turn_number >= (SELECT engine_first_turn FROM chat_session WHERE id = $3))) AS messages
    FROM execution
    JOIN agent ON agent.id = execution.agent_id
    LEFT JOIN LATERAL (
      SELECT data FROM journal_entry
       WHERE execution_id = execution.id AND scope = '' AND kind = 'execution_prepared' ORDER BY sequence LIMIT 1
    ) prepared ON true
    JOIN agent_version pinned
      ON pinned.agent_id = agent.id
     AND pinned.version = coalesce(execution.agent_version, (prepared.data->'agent'->>'version')::int, agent.version)
    JOIN llm ON llm.id = pinned.llm_id
   WHERE execution.id = $1 AND execution.tenant_id = $2`;
