import { Any, MoreThan, type DataSource, type EntityManager, type Repository } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { AgentEntity, type UsecaseType } from '../entities/agent.entity.js';
import { queryRows } from '../sql.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import { holdLlm } from './hold-llm.js';
import { holdNewName, type Named } from './hold-new-name.js';
import { LEADING_SQL } from '../knowledge/leading-agents-sql.js';
import { changedView, changeVersioned, insertRow, versionedView } from '../rows/versioned-repository.js';
import type { ExpectedVersions, Versioned, VersionedChange } from '../rows/versioned.js';

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
  readonly limit: number;
  readonly includeInactive: boolean;
}

/** `llm_not_found`: the tenant has no such model configuration. */
export type AgentCreation =
  ({ readonly kind: 'created' } & Versioned<AgentView>) | { readonly kind: 'llm_not_found' };
export type AgentChange = VersionedChange<AgentView> | { readonly kind: 'llm_not_found' };

export interface AgentChangeOptions {
  readonly expected: ExpectedVersions;
  /** Treats an inactive agent as not found. */
  readonly onlyActive: boolean;
}

/** Agents of one tenant. */
export class AgentStore {
  private readonly agents: Repository<AgentEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.agents = dataSource.getRepository(AgentEntity);
  }

  /** Sorted by id, ascending. */
  async list(
    tenantId: string,
    { afterId = 0, limit, includeInactive }: AgentPage,
  ): Promise<RowsOfPage<AgentView>> {
    const agents = this.agents.createQueryBuilder('agent').where({ tenantId, id: MoreThan(afterId) });
    if (!includeInactive) agents.andWhere({ isActive: true });
    return mapRows(await readEntityPage(this.agents, agents, { orderBy: 'id', limit }), toView);
  }

  /** Finds the active agents of the tenant among these. */
  async findActive(tenantId: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const where = { tenantId, id: Any(ids), isActive: true };
    return new Set((await this.agents.find({ select: { id: true }, where })).map(({ id }) => id));
  }

  /** Finds the agents among these with steps that lead to the target, directly or through steps of other agents. */
  async findLeadingTo(
    tenantId: string,
    ids: readonly number[],
    targetId: number,
  ): Promise<ReadonlySet<number>> {
    const rows = await queryRows<{ id: number }>(this.dataSource, LEADING_SQL, [tenantId, ids, targetId]);
    return new Set(rows.map(({ id }) => id));
  }

  async find(tenantId: string, id: number): Promise<Versioned<AgentView> | null> {
    const agent = await this.agents.findOneBy({ tenantId, id });
    return agent && versionedView(agent, toView);
  }

  /** The active agent of this name, else the newest inactive one. */
  async findByName(tenantId: string, name: string): Promise<Named<Versioned<AgentView>>> {
    const order = { isActive: 'DESC', id: 'DESC' } as const;
    const [first, second] = await this.agents.find({ where: { tenantId, name }, order, take: 2 });
    if (first === undefined) return null;
    return second?.isActive === true ? 'ambiguous' : versionedView(first, toView);
  }

  create(tenantId: string, fields: AgentFields): Promise<AgentCreation> {
    return this.dataSource.transaction((manager) => insertAgent(manager, tenantId, fields));
  }

  /** Null where another agent has the name, active or not. */
  createUnlessNamed(tenantId: string, fields: AgentFields): Promise<AgentCreation | null> {
    return this.dataSource.transaction(async (manager) =>
      (await holdNewName(manager, 'agent', tenantId, fields.name))
        ? insertAgent(manager, tenantId, fields)
        : null,
    );
  }

  /** Changes the given fields only, so that a concurrent change of other fields is kept. */
  async update(
    tenantId: string,
    id: number,
    fields: Partial<AgentFields>,
    { expected, onlyActive }: AgentChangeOptions,
  ): Promise<AgentChange> {
    return this.dataSource.transaction(async (manager) => {
      const agents = manager.getRepository(AgentEntity);
      const where = { tenantId, id, ...(onlyActive && { isActive: true }) };
      if (fields.llm !== undefined && !(await holdLlm(manager, tenantId, fields.llm)))
        return { kind: (await agents.existsBy(where)) ? 'llm_not_found' : 'not_found' };
      return changedView(await changeVersioned(agents, where, toValues(fields), expected), toView);
    });
  }
}

async function insertAgent(
  manager: EntityManager,
  tenantId: string,
  fields: AgentFields,
): Promise<AgentCreation> {
  if (!(await holdLlm(manager, tenantId, fields.llm))) return { kind: 'llm_not_found' };
  const made = await insertRow(manager.getRepository(AgentEntity), { tenantId, ...toValues(fields) });
  return { kind: 'created', ...versionedView(made, toView) };
}

function toValues(fields: Partial<AgentFields>) {
  const { usecase_type: usecaseType, llm: llmId, system_prompt: systemPrompt, is_active: isActive } = fields;
  const { name, config, tools } = fields;
  return { name, usecaseType, llmId, systemPrompt, config, tools, isActive };
}

function toView(agent: AgentEntity): AgentView {
  const { id, name, usecaseType: usecase_type, llmId: llm, config, tools } = agent;
  return {
    ...{ id, name, usecase_type, llm, system_prompt: agent.systemPrompt },
    ...{ config, tools, is_active: agent.isActive },
  };
}
