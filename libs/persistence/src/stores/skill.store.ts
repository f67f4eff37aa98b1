import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from './bounded-page.js';
import { countUnderLock } from './count-under-lock.js';
import type { ExpectedVersions, Versioned, VersionedChange } from './versioned.js';
import {
  changeSql,
  readChange,
  readDeletion,
  toVersioned,
  withIsoTimes,
  type RowOf,
} from './versioned-rows.js';

/** A skill as the API shows it. */
export interface SkillView {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A skill as lists show it. */
export type SkillSummary = Omit<SkillView, 'content'>;

export type SkillFields = Omit<SkillView, 'id' | 'created_at' | 'updated_at'>;

/** Of one tenant: the names and descriptions of all active ones stand in every prompt. */
export const MAX_SKILLS = 100;

/** `name_taken`: by another skill of the tenant. `too_many`: there are {@link MAX_SKILLS} already. */
export type SkillCreation =
  | ({ readonly kind: 'created' } & Versioned<SkillView>)
  | { readonly kind: 'name_taken' }
  | { readonly kind: 'too_many' };
export type SkillChange = VersionedChange<SkillView> | { readonly kind: 'name_taken' };
export type SkillDeletion = 'deleted' | 'not_found' | 'other_version';

/** Skills of one tenant. */
export class SkillStore {
  constructor(private readonly dataSource: DataSource) {}

  /** By id, ascending; what they say is read one by one. */
  async list(
    tenantId: string,
    page: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<SkillSummary>> {
    const rows = await readPage<Omit<SkillRow, 'content' | 'version'>>(this.dataSource, {
      select: `SELECT ${SUMMARY_COLUMNS} FROM skill WHERE tenant_id = $1 AND id > $2`,
      parameters: [tenantId, page.afterId ?? 0],
      orderBy: 'id',
      limit: page.limit,
    });
    return mapRows(rows, withIsoTimes);
  }

  async find(tenantId: string, id: number): Promise<Versioned<SkillView> | null> {
    const sql = `SELECT ${COLUMNS} FROM skill WHERE tenant_id = $1 AND id = $2`;
    const [row] = await queryRows<SkillRow>(this.dataSource, sql, [tenantId, id]);
    return row ? toVersioned<SkillView>(row) : null;
  }

  /** The content of an active skill; null where there is none of this name. */
  async readContent(tenantId: string, name: string): Promise<string | null> {
    const sql = `SELECT content FROM skill WHERE tenant_id = $1 AND name = $2 AND is_active`;
    const [row] = await queryRows<{ content: string }>(this.dataSource, sql, [tenantId, name]);
    return row?.content ?? null;
  }

  async create(
    tenantId: string,
    { name, description, content, is_active }: SkillFields,
  ): Promise<SkillCreation> {
    return this.dataSource.transaction(async (manager) => {
      if ((await countUnderLock(manager, 'skill', tenantId)) >= MAX_SKILLS) return { kind: 'too_many' };
      const [row] = await queryRows<SkillRow>(
        manager,
        `INSERT INTO skill (tenant_id, name, description, content, is_active) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant_id, name) DO NOTHING RETURNING ${COLUMNS}`,
        [tenantId, name, description, content, is_active],
      );
      return row ? { kind: 'created', ...toVersioned<SkillView>(row) } : { kind: 'name_taken' };
    });
  }

  /** What is not given stays, also where it changes at the same time: it is one statement. */
  async update(
    tenantId: string,
    id: number,
    { name, description, content, is_active }: Partial<SkillFields>,
    expected: ExpectedVersions,
  ): Promise<SkillChange> {
    try {
      const [row] = await queryRows<Partial<SkillRow>>(this.dataSource, UPDATE_SQL, [
        tenantId,
        id,
        expected,
        name ?? null,
        description ?? null,
        content ?? null,
        is_active ?? null,
      ]);
      return readChange(row, expected, toVersioned<SkillView>);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)
        return { kind: 'name_taken' };
      throw error;
    }
  }

  async delete(tenantId: string, id: number, expected: ExpectedVersions): Promise<SkillDeletion> {
    const [row] = await queryRows<{ is_deleted: boolean }>(
      this.dataSource,
      `WITH found AS (
         SELECT id FROM skill WHERE tenant_id = $1 AND id = $2
       ), deleted AS (
         DELETE FROM skill WHERE tenant_id = $1 AND id = $2 AND ($3::int[] IS NULL OR version = ANY($3::int[]))
         RETURNING id
       )
       SELECT EXISTS (SELECT 1 FROM deleted) AS is_deleted FROM found`,
      [tenantId, id, expected],
    );
    return readDeletion(row, expected);
  }
}

type SkillRow = RowOf<SkillView>;

const UNIQUE_VIOLATION = '23505';
const SUMMARY_COLUMNS = 'id, name, description, is_active, created_at, updated_at';
const COLUMNS = `${SUMMARY_COLUMNS}, content, version`;
const UPDATE_SQL = changeSql(
  'skill',
  `name = coalesce($4, name), description = coalesce($5, description), content = coalesce($6, content),
   is_active = coalesce($7, is_active)`,
  COLUMNS,
);
