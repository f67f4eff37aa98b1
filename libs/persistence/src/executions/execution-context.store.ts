import type { DataSource } from 'typeorm';
import {
  ContextStore,
  type AgentVersionKey,
  type Claim,
  type RetryPolicy,
  type StoredAgent,
  type StoredContext,
  type StoredLlm,
} from '#libs/executions';
import { queryRows } from '../sql.js';
import {
  agentColumns,
  contextSql,
  LLM_OBJECT,
  toAgent,
  toContext,
  type AgentRow,
  type ContextRow,
} from './stored-context.js';
import { askWithRetry } from './retried-queries.js';

export class ExecutionContextStore extends ContextStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async load({ executionId, tenantId }: Claim, retries: RetryPolicy): Promise<StoredContext | null> {
    const ask = () => queryRows<ContextRow>(this.dataSource, CONTEXT_SQL, [executionId, tenantId]);
    const [row] = await askWithRetry(ask, retries);
    return row ? toContext(row) : null;
  }

  override async loadAgent(
    { tenantId, agentId, version, executorId }: AgentVersionKey,
    retries: RetryPolicy,
  ): Promise<StoredAgent | null> {
    const ask = () =>
      queryRows<AgentRow>(this.dataSource, AGENT_SQL, [...[tenantId, agentId, version, executorId]]);
    const [row] = await askWithRetry(ask, retries);
    return row ? toAgent(row) : null;
  }

  override async findLlm(tenantId: string, llmId: number, retries: RetryPolicy): Promise<StoredLlm | null> {
    const ask = () => queryRows<{ llm: StoredLlm }>(this.dataSource, LLM_SQL, [tenantId, llmId]);
    const [row] = await askWithRetry(ask, retries);
    return row?.llm ?? null;
  }

  override async findUsableAgents(
    tenantId: string,
    agentIds: readonly number[],
    retries: RetryPolicy,
  ): Promise<ReadonlySet<number>> {
    const ask = () => queryRows<{ id: number }>(this.dataSource, USABLE_AGENTS_SQL, [tenantId, agentIds]);
    return new Set((await askWithRetry(ask, retries)).map(({ id }) => id));
  }
}

const AGENT_SQL = `
  SELECT ${agentColumns('$4::text')}
    FROM agent
    JOIN agent_version pinned ON pinned.agent_id = agent.id AND pinned.version = coalesce($3::int, agent.version)
    JOIN llm ON llm.id = pinned.llm_id
   WHERE agent.tenant_id = $1 AND agent.id = $2`;

const LLM_SQL = `SELECT ${LLM_OBJECT} AS llm FROM llm WHERE tenant_id = $1 AND id = $2`;

const USABLE_AGENTS_SQL = `
  SELECT agent.id FROM agent JOIN llm ON llm.id = agent.llm_id
   WHERE agent.tenant_id = $1 AND agent.id = ANY ($2::int[]) AND agent.is_active AND llm.is_active`;

const CONTEXT_SQL = `
  SELECT found.* FROM execution e CROSS JOIN LATERAL (${contextSql('e')}) found WHERE e.id = $1 AND e.tenant_id = $2`;
