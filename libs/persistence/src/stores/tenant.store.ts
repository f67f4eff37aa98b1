import type { DataSource, EntityManager } from 'typeorm';
import { AppError } from '#libs/kernel';
import { readTenantSettings, type TenantSettings } from '#libs/policy';
import type { TenantStatus } from '../entities/tenant.entity.js';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from './bounded-page.js';
import type { ExpectedVersions, Versioned, VersionedChange } from './versioned.js';
import { readChange, withIsoTimes, type RowOf } from './versioned-rows.js';

/** A tenant as the API shows it. */
export interface TenantView {
  readonly id: string;
  readonly name: string;
  readonly status: TenantStatus;
  readonly system_prompt: string | null;
  readonly settings: TenantSettings;
  readonly created_at: string;
  readonly updated_at: string;
}

export type TenantFields = Omit<TenantView, 'id' | 'created_at' | 'updated_at'>;

/** What the id of a new tenant may be: also the name of a folder, and a part of a path. */
export const TENANT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Every tenant of the service. */
export class TenantStore {
  constructor(private readonly dataSource: DataSource) {}

  /** By id, ascending. */
  async list(page: {
    readonly afterId?: string | undefined;
    readonly limit: number;
  }): Promise<RowsOfPage<TenantView>> {
    const rows = await readPage<TenantRow>(this.dataSource, {
      select: `SELECT ${COLUMNS} FROM tenant WHERE id COLLATE "C" > $1`,
      parameters: [page.afterId ?? ''],
      orderBy: 'id COLLATE "C"',
      limit: page.limit,
    });
    return mapRows(rows, (row) => toVersioned(row).view);
  }

  async find(id: string): Promise<Versioned<TenantView> | null> {
    const sql = `SELECT ${COLUMNS} FROM tenant WHERE id = $1`;
    const [row] = await queryRows<TenantRow>(this.dataSource, sql, [id]);
    return row ? toVersioned(row) : null;
  }

  /** Answers null when there is one with this id. */
  async create(id: string, fields: TenantFields): Promise<Versioned<TenantView> | null> {
    const [row] = await queryRows<TenantRow>(
      this.dataSource,
      `INSERT INTO tenant (id, name, status, system_prompt, settings) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
      [id, fields.name, fields.status, fields.system_prompt, JSON.stringify(fields.settings)],
    );
    return row ? toVersioned(row) : null;
  }

  /** What is not given stays, also where it changes at the same time: it is one statement. */
  async update(
    id: string,
    { name, status, system_prompt, settings }: Partial<TenantFields>,
    expected: ExpectedVersions,
  ): Promise<VersionedChange<TenantView>> {
    const [row] = await queryRows<Partial<TenantRow>>(
      this.dataSource,
      `WITH found AS (
         SELECT id AS found_id FROM tenant WHERE id = $1
       ), changed AS (
         UPDATE tenant
            SET version = version + 1, updated_at = now(), name = coalesce($3, name), status = coalesce($4, status),
                system_prompt = CASE WHEN $5::boolean THEN $6 ELSE system_prompt END,
                settings = coalesce($7::jsonb, settings)
          WHERE id = $1 AND ($2::int[] IS NULL OR version = ANY($2::int[]))
         RETURNING ${COLUMNS}
       )
       SELECT changed.* FROM found LEFT JOIN changed ON changed.id = found_id`,
      [
        ...[id, expected, name ?? null, status ?? null, system_prompt !== undefined, system_prompt ?? null],
        settings === undefined ? null : JSON.stringify(settings),
      ],
    );
    return readChange(row, expected, toVersioned);
  }
}

/**
 * Makes an active tenant with this id unless there is one, whatever its status. Throws `INVALID_TENANT` for a new id that no
 * tenant can have.
 */
export async function ensureTenant(manager: Pick<EntityManager, 'query'>, id: string): Promise<void> {
  const known = await queryRows(manager, `SELECT 1 FROM tenant WHERE id = $1`, [id]);
  if (known.length > 0) return;
  if (!TENANT_ID.test(id)) {
    throw new AppError({
      code: 'INVALID_TENANT',
      kind: 'invalid_input',
      message: 'the id of a tenant must be 1 to 64 letters, digits, "_" or "-"',
    });
  }
  await queryRows(
    manager,
    `INSERT INTO tenant (id, name) VALUES ($1::text, $1::text) ON CONFLICT (id) DO NOTHING`,
    [id],
  );
}

type TenantRow = Omit<RowOf<TenantView>, 'settings'> & { readonly settings: object };

const COLUMNS = 'id, name, status, system_prompt, settings, created_at, updated_at, version';

function toVersioned({ version, settings, ...row }: TenantRow): Versioned<TenantView> {
  return { view: { ...withIsoTimes(row), settings: readTenantSettings(settings) }, version };
}
