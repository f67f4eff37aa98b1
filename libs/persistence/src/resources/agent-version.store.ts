import type { DataSource, Repository } from 'typeorm';
import { AgentVersionEntity } from '../entities/agent-version.entity.js';
import type { AgentView } from './agent.store.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';

/** State of an agent after one change. */
export interface AgentVersionView extends AgentView {
  /** Number from 1, one more with every change. */
  readonly version: number;
  /** When it became the agent's version. */
  readonly created_at: string;
}

export interface AgentVersionPage {
  readonly beforeVersion?: number | undefined;
  readonly limit: number;
}

/** Versions of the agents of one tenant. */
export class AgentVersionStore {
  private readonly versions: Repository<AgentVersionEntity>;

  constructor(dataSource: DataSource) {
    this.versions = dataSource.getRepository(AgentVersionEntity);
  }

  /** Sorted newest first; empty for an unknown agent. */
  async list(
    tenantId: string,
    agentId: number,
    { beforeVersion, limit }: AgentVersionPage,
  ): Promise<RowsOfPage<AgentVersionView>> {
    const versions = this.versions.createQueryBuilder('past').where({ tenantId, agentId });
    if (beforeVersion !== undefined) versions.andWhere('past.version < :beforeVersion', { beforeVersion });
    return mapRows(await readEntityPage(this.versions, versions, { orderBy: 'version DESC', limit }), toView);
  }

  async find(tenantId: string, agentId: number, version: number): Promise<AgentVersionView | null> {
    const found = await this.versions.findOneBy({ tenantId, agentId, version });
    return found && toView(found);
  }
}

function toView(past: AgentVersionEntity): AgentVersionView {
  const { version, agentId: id, name, usecaseType: usecase_type, llmId: llm, systemPrompt, createdAt } = past;
  return {
    ...{ version, created_at: createdAt.toISOString(), id, name, usecase_type, llm },
    ...{ system_prompt: systemPrompt, config: past.config, tools: past.tools, is_active: past.isActive },
  };
}
