import type { DataSource } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import type { UsecaseType } from '../entities/agent.entity.js';
import { queryRows } from '../sql.js';
import { readPage, type RowsOfPage } from './bounded-page.js';
import type { ExpectedVersions, Versioned, VersionedChange } from './versioned.js';

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

/** Refused where the tenant has no such model configuration. */
export type AgentCreation =
  ({ readonly kind: 'created' } & Versioned<AgentView>) | { readonly kind: 'llm_not_found' };
export type AgentChange = VersionedChange<AgentView> | { readonly kind: 'llm_not_found' };

export interface AgentChangeOptions {
  readonly expected: ExpectedVersions;
  /** An inactive agent is as good as none. */
  readonly onlyActive: boolean;
}

/** Agents of one tenant. */
export class AgentStore {
  constructor(private readonly dataSource: DataSource) {}

  /** By id, ascending. */
  async list(
    tenantId: string,
    { afterId, limit, includeInactive }: AgentPage,
  ): Promise<RowsOfPage<AgentView>> {
    return readPage<AgentView>(this.dataSource, {
      select: `SELECT ${COLUMNS} FROM agent WHERE tenant_id = $1 AND id > $2 AND (is_active OR $3::boolean)`,
      parameters: [tenantId, afterId ?? 0, includeInactive],
      orderBy: 'id',
      limit,
    });
  }

  /** Those of these agents that the tenant has and that may be used. */
  async findActive(tenantId: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      `SELECT id FROM agent WHERE tenant_id = $1 AND id = ANY($2::int[]) AND is_active`,
      [tenantId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Those of these agents whose steps lead to that one, directly or by the steps of others. */
  async findLeadingTo(
    tenantId: string,
    ids: readonly number[],
    targetId: number,
  ): Promise<ReadonlySet<number>> {
    const rows = await queryRows<{ id: number }>(this.dataSource, LEADING_SQL, [tenantId, ids, targetId]);
    return new Set(rows.map(({ id }) => id));
  }

  async find(tenantId: string, id: number): Promise<Versioned<AgentView> | null> {
    const [row] = await queryRows<AgentRow>(
      this.dataSource,
      `SELECT ${COLUMNS}, version FROM agent WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
    return row ? toVersioned(row) : null;
  }

  async create(tenantId: string, fields: AgentFields): Promise<AgentCreation> {
    const [row] = await queryRows<AgentRow>(
      this.dataSource,
      `INSERT INTO agent (tenant_id, llm_id, name, usecase_type, system_prompt, config, tools, is_active)
       SELECT $1, llm.id, $3, $4, $5, $6, $7, $8 FROM llm WHERE llm.tenant_id = $1 AND llm.id = $2 FOR KEY SHARE
       RETURNING ${COLUMNS}, version`,
      [
        tenantId,
        fields.llm,
        fields.name,
        fields.usecase_type,
        fields.system_prompt,
        JSON.stringify(fields.config),
        JSON.stringify(fields.tools),
        fields.is_active,
      ],
    );
    return row ? { kind: 'created', ...toVersioned(row) } : { kind: 'llm_not_found' };
  }

  /** What is not given stays, also where it changes at the same time: it is one statement. */
  async update(
    tenantId: string,
    id: number,
    fields: Partial<AgentFields>,
    { expected, onlyActive }: AgentChangeOptions,
  ): Promise<AgentChange> {
    const [row] = await queryRows<Partial<AgentRow> & { has_llm: boolean }>(this.dataSource, UPDATE_SQL, [
      tenantId,
      id,
      onlyActive,
      expected,
      fields.name ?? null,
      fields.usecase_type ?? null,
      fields.llm ?? null,
      fields.system_prompt !== undefined,
      fields.system_prompt ?? null,
      fields.config === undefined ? null : JSON.stringify(fields.config),
      fields.tools === undefined ? null : JSON.stringify(fields.tools),
      fields.is_active ?? null,
    ]);
    if (!row) return { kind: 'not_found' };
    const { has_llm: hasLlm, ...agent } = row;
    if (isChanged(agent)) return { kind: 'changed', ...toVersioned(agent) };
    if (!hasLlm) return { kind: 'llm_not_found' };
    return { kind: expected === null ? 'not_found' : 'other_version' };
  }
}

type AgentRow = AgentView & { readonly version: number };

const COLUMNS = 'id, name, usecase_type, llm_id AS llm, system_prompt, config, tools, is_active';

/** A row where the agent is there; its columns are null where it was not changed. */
const UPDATE_SQL = `
  WITH found AS (
    SELECT id AS found_id FROM agent WHERE tenant_id = $1 AND id = $2 AND (is_active OR NOT $3::boolean)
  ), new_llm AS (
    SELECT id FROM llm WHERE tenant_id = $1 AND id = $7::int FOR KEY SHARE
  ), permitted AS (
    SELECT $7::int IS NULL OR EXISTS (SELECT 1 FROM new_llm) AS has_llm
  ), changed AS (
    UPDATE agent
       SET version = version + 1, updated_at = now(), name = coalesce($5, name),
           usecase_type = coalesce($6, usecase_type), llm_id = coalesce($7, llm_id),
           system_prompt = CASE WHEN $8::boolean THEN $9 ELSE system_prompt END,
           config = coalesce($10::jsonb, config), tools = coalesce($11::jsonb, tools),
           is_active = coalesce($12, is_active)
     WHERE tenant_id = $1 AND id = $2 AND (is_active OR NOT $3::boolean) AND (SELECT has_llm FROM permitted)
       AND ($4::int[] IS NULL OR version = ANY($4::int[]))
    RETURNING ${COLUMNS}, version
  )
  SELECT permitted.has_llm, changed.* FROM found CROSS JOIN permitted LEFT JOIN changed ON changed.id = found_id`;

function isChanged(row: Partial<AgentRow>): row is AgentRow {
  return typeof row.id === 'number';
}

function toVersioned({ version, ...view }: AgentRow): Versioned<AgentView> {
  return { view, version };
}

/** A step calls an agent by itself, or for each item of a list. What another release has written may be anything. */
const LEADING_SQL = `
  WITH RECURSIVE reached (origin, id) AS (
    SELECT id, id::numeric FROM agent WHERE tenant_id = $1 AND id = ANY($2::int[])
    UNION
    SELECT reached.origin, (called #>> '{}')::numeric
      FROM reached
      JOIN agent ON agent.id = reached.id AND agent.tenant_id = $1 AND agent.usecase_type = 'CUSTOM'
     CROSS JOIN LATERAL jsonb_array_elements(
       jsonb_path_query_array(agent.config, '$.steps[*].agent ? (@.type() == "number")')
         || jsonb_path_query_array(agent.config, '$.steps[*].do.agent ? (@.type() == "number")')) called
  )
  SELECT DISTINCT origin AS id FROM reached WHERE id = $3`;
