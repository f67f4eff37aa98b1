import type { DataSource } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { AgentEntity, type UsecaseType } from '../entities/agent.entity.js';
import { LlmEntity } from '../entities/llm.entity.js';
import { queryRows } from '../sql.js';

/** An agent as the API shows it (S3-22). */
export interface AgentView {
  readonly id: number;
  readonly name: string;
  readonly usecase_type: UsecaseType;
  readonly llm: number;
  readonly system_prompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly is_active: boolean;
}

export type AgentFields = Omit<AgentView, 'id'>;

export interface AgentPage {
  readonly afterId?: number | undefined;
  readonly limit?: number | undefined;
  readonly includeInactive: boolean;
}

/** Agents of one tenant. */
export class AgentStore {
  constructor(private readonly dataSource: DataSource) {}

  /** By id, ascending. */
  async list(tenantId: string, page: AgentPage): Promise<AgentView[]> {
    const query = this.agents
      .createQueryBuilder('agent')
      .where('agent.tenantId = :tenantId', { tenantId })
      .andWhere('agent.id > :afterId', { afterId: page.afterId ?? 0 })
      .orderBy('agent.id');
    if (!page.includeInactive) query.andWhere('agent.isActive');
    if (page.limit !== undefined) query.limit(page.limit);
    return (await query.getMany()).map(toView);
  }

  async find(tenantId: string, id: number): Promise<AgentView | null> {
    // By hand: asked for every submit, where building the same statement anew costs more than the statement.
    const [agent] = await queryRows<AgentView>(
      this.dataSource,
      `SELECT id, name, usecase_type, llm_id AS llm, system_prompt, config, tools, is_active
         FROM agent WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
    return agent ?? null;
  }

  async create(tenantId: string, fields: AgentFields): Promise<AgentView> {
    return toView(await this.agents.save({ tenantId, ...toColumns(fields) }));
  }

  /** Answers null when there is no such agent. */
  async update(tenantId: string, id: number, fields: Partial<AgentFields>): Promise<AgentView | null> {
    const agent = await this.agents.findOneBy({ tenantId, id });
    return agent ? toView(await this.agents.save(Object.assign(agent, toColumns(fields)))) : null;
  }

  async llmExists(tenantId: string, llmId: number): Promise<boolean> {
    return this.dataSource.getRepository(LlmEntity).existsBy({ tenantId, id: llmId });
  }

  private get agents() {
    return this.dataSource.getRepository(AgentEntity);
  }
}

function toColumns(fields: Partial<AgentFields>): Partial<AgentEntity> {
  const { usecase_type, llm, system_prompt, is_active, ...same } = fields;
  return {
    ...same,
    ...(usecase_type !== undefined && { usecaseType: usecase_type }),
    ...(llm !== undefined && { llmId: llm }),
    ...(system_prompt !== undefined && { systemPrompt: system_prompt }),
    ...(is_active !== undefined && { isActive: is_active }),
  };
}

function toView(agent: AgentEntity): AgentView {
  return {
    id: agent.id,
    name: agent.name,
    usecase_type: agent.usecaseType,
    llm: agent.llmId,
    system_prompt: agent.systemPrompt,
    config: agent.config,
    tools: agent.tools,
    is_active: agent.isActive,
  };
}
