import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import type { AgentView } from './agent.store.js';
import { mapRows, readPage, type RowsOfPage } from './bounded-page.js';

/** An agent as one change left it. */
export interface AgentVersionView extends AgentView {
  /** 1 when the agent was made, one more with every change. */
  readonly version: number;
  /** When it became the agent's version. */
  readonly created_at: string;
}

export interface AgentVersionPage {
  readonly beforeVersion?: number | undefined;
  readonly limit: number;
}

/** What the agents of one tenant were. */
export class AgentVersionStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first; none where there is no such agent. */
  async list(
    tenantId: string,
    agentId: number,
    { beforeVersion, limit }: AgentVersionPage,
  ): Promise<RowsOfPage<AgentVersionView>> {
    const rows = await readPage<AgentVersionRow>(this.dataSource, {
      select: `SELECT ${COLUMNS} FROM agent_version
        WHERE tenant_id = $1 AND agent_id = $2 AND ($3::int IS NULL OR version < $3)`,
      parameters: [tenantId, agentId, beforeVersion ?? null],
      orderBy: 'version DESC',
      limit,
    });
    return mapRows(rows, toView);
  }

  async find(tenantId: string, agentId: number, version: number): Promise<AgentVersionView | null> {
    const [row] = await queryRows<AgentVersionRow>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM agent_version WHERE tenant_id = $1 AND agent_id = $2 AND version = $3`,
      [tenantId, agentId, version],
    );
    return row ? toView(row) : null;
  }
}

type AgentVersionRow = Omit<AgentVersionView, 'created_at'> & { readonly created_at: Date };

const COLUMNS = `version, created_at, agent_id AS id, name, usecase_type, llm_id AS llm, system_prompt, config, tools,
  is_active`;

function toView({ created_at, ...row }: AgentVersionRow): AgentVersionView {
  return { ...row, created_at: created_at.toISOString() };
}
