import type { DataSource } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import type { ToolOverride, ToolServerLimits, ToolServerType } from '#libs/tooling';
import type { ToolServerStatus } from '../entities/tool-server.entity.js';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from './bounded-page.js';
import { madeWithin, UUIDS, type Bind, type MadeWithin } from './list-conditions.js';
import { resealColumn, type Reseal } from './reseal-rows.js';
import { countUnderLock } from './count-under-lock.js';
import { orderRevocations } from './order-revocations.js';
import { isTaken } from './sql-state.js';
import type { ExpectedVersions, Versioned, VersionedChange } from './versioned.js';
import { changeSql, readChange, toVersioned, withIsoTimes, type RowOf } from './versioned-rows.js';

/** A tool server as the API shows it. */
export interface ToolServerView {
  /** UUID v7. */
  readonly id: string;
  readonly name: string;
  readonly type: ToolServerType;
  readonly status: ToolServerStatus;
  /** Null stands for each text of a template that is sealed. Without `document` in lists. */
  readonly config: JsonObject;
  readonly tools: Readonly<Record<string, ToolOverride>>;
  readonly limits: ToolServerLimits;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ToolServerFields = Omit<ToolServerView, 'id' | 'created_at' | 'updated_at'>;

/** What is written with a configuration: its sealed texts, null where it has none. */
export type GivenToolServer = ToolServerFields & { readonly literalsSealed: string | null };

export interface ToolServerFilter extends MadeWithin {
  readonly status?: ToolServerStatus | undefined;
  readonly type?: ToolServerType | undefined;
  readonly isOldestFirst: boolean;
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/** A row as a run needs it, its secrets still sealed. */
export interface SealedToolServer extends Pick<
  ToolServerView,
  'id' | 'name' | 'type' | 'status' | 'config' | 'tools' | 'limits'
> {
  readonly tenantId: string;
  readonly version: number;
  readonly literalsSealed: string | null;
}

/** Of one tenant: every run that may use all of them asks each. */
export const MAX_TOOL_SERVERS = 100;

/** `name_taken`: by another server of the tenant. `too_many`: there are {@link MAX_TOOL_SERVERS} already. */
export type ToolServerCreation =
  | ({ readonly kind: 'created' } & Versioned<ToolServerView>)
  | { readonly kind: 'name_taken' }
  | { readonly kind: 'too_many' };
export type ToolServerChange = VersionedChange<ToolServerView> | { readonly kind: 'name_taken' };

/** Tool servers of one tenant. */
export class ToolServerStore {
  constructor(private readonly dataSource: DataSource) {}

  /** In the order of their making, without the documents of their configurations. */
  async list(tenantId: string, filter: ToolServerFilter): Promise<RowsOfPage<ToolServerView>> {
    const { status, type, isOldestFirst, lastId, limit } = filter;
    const parameters: unknown[] = [];
    const bind: Bind = (value, sqlType) => `$${parameters.push(value)}::${sqlType}`;
    const conditions = [
      `server.tenant_id = ${bind(tenantId, 'text')}`,
      ...madeWithin(filter, 'server', bind, UUIDS),
      ...(status === undefined ? [] : [`server.status = ${bind(status, 'text')}`]),
      ...(type === undefined ? [] : [`server.type = ${bind(type, 'text')}`]),
      ...(lastId === undefined ? [] : [`server.id ${isOldestFirst ? '>' : '<'} ${bind(lastId, 'uuid')}`]),
    ];
    const rows = await readPage<Omit<ToolServerRow, 'version'>>(this.dataSource, {
      select: `SELECT id, name, type, status, config - 'document' AS config, tools, limits, created_at, updated_at
                 FROM tool_server server WHERE ${conditions.join(' AND ')}`,
      parameters,
      orderBy: isOldestFirst ? 'id' : 'id DESC',
      limit,
    });
    return mapRows(rows, withIsoTimes);
  }

  async find(tenantId: string, id: string): Promise<Versioned<ToolServerView> | null> {
    const sql = `SELECT ${COLUMNS} FROM tool_server WHERE tenant_id = $1 AND id = $2`;
    const [row] = await queryRows<ToolServerRow>(this.dataSource, sql, [tenantId, id]);
    return row ? toVersioned<ToolServerView>(row) : null;
  }

  /** Whatever its status. */
  async findSealed(tenantId: string, id: string): Promise<SealedToolServer | null> {
    const sql = `SELECT ${SEALED_COLUMNS} FROM tool_server WHERE tenant_id = $1 AND id = $2`;
    const [row] = await queryRows<SealedToolServer>(this.dataSource, sql, [tenantId, id]);
    return row ?? null;
  }

  /** Which active servers there are, by name, ascending, and in which versions. */
  async listActive(tenantId: string): Promise<Pick<SealedToolServer, 'id' | 'name' | 'version'>[]> {
    const sql = `SELECT id, name, version FROM tool_server WHERE tenant_id = $1 AND status = 'active' ORDER BY name`;
    return queryRows(this.dataSource, sql, [tenantId]);
  }

  /**
   * All servers by name, whatever their status, each with the names of its tools; null where its listing is of another
   * version.
   */
  async listKnown(tenantId: string): Promise<ReadonlyMap<string, readonly string[] | null>> {
    const rows = await queryRows<{ name: string; tools: string[] | null }>(
      this.dataSource,
      `SELECT server.name, jsonb_path_query_array(listing.tools, '$[*].name') AS tools
         FROM tool_server server
         LEFT JOIN tool_server_listing listing
           ON listing.server_id = server.id AND listing.server_version = server.version
        WHERE server.tenant_id = $1 ORDER BY server.name`,
      [tenantId],
    );
    return new Map(rows.map(({ name, tools }) => [name, tools]));
  }

  async create(tenantId: string, id: string, given: GivenToolServer): Promise<ToolServerCreation> {
    return this.dataSource.transaction(async (manager) => {
      if ((await countUnderLock(manager, 'tool_server', tenantId)) >= MAX_TOOL_SERVERS)
        return { kind: 'too_many' };
      const { name, type, status, config, literalsSealed, tools, limits } = given;
      const [row] = await queryRows<ToolServerRow>(
        manager,
        `INSERT INTO tool_server (id, tenant_id, name, type, status, config, literals_sealed, tools, limits)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (tenant_id, name) DO NOTHING RETURNING ${COLUMNS}`,
        [
          ...[id, tenantId, name, type, status, JSON.stringify(config), literalsSealed],
          ...[JSON.stringify(tools), JSON.stringify(limits)],
        ],
      );
      return row ? { kind: 'created', ...toVersioned<ToolServerView>(row) } : { kind: 'name_taken' };
    });
  }

  /** What is not given stays, also where it changes at the same time: it is one statement. */
  async update(
    tenantId: string,
    id: string,
    { name, type, status, config, literalsSealed, tools, limits }: Partial<GivenToolServer>,
    expected: ExpectedVersions,
  ): Promise<ToolServerChange> {
    try {
      const [row] = await queryRows<Partial<ToolServerRow>>(this.dataSource, UPDATE_SQL, [
        ...[tenantId, id, expected, name ?? null, type ?? null, status ?? null, toJson(config)],
        ...[literalsSealed ?? null, toJson(tools), toJson(limits)],
      ]);
      return readChange(row, expected, toVersioned<ToolServerView>);
    } catch (error) {
      if (isTaken(error)) return { kind: 'name_taken' };
      throw error;
    }
  }

  /** With its connections, whose tokens are to be revoked from then on. */
  async delete(
    tenantId: string,
    id: string,
    expected: ExpectedVersions,
  ): Promise<'deleted' | 'not_found' | 'other_version'> {
    return this.dataSource.transaction(async (manager) => {
      const [row] = await queryRows<{ version: number }>(
        manager,
        `SELECT version FROM tool_server WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
        [tenantId, id],
      );
      if (row === undefined) return 'not_found';
      if (expected !== null && !expected.includes(row.version)) return 'other_version';
      await orderRevocations(manager, id);
      await queryRows(manager, `DELETE FROM tool_server WHERE id = $1`, [id]);
      return 'deleted';
    });
  }

  /** Seals anew what `reseal` answers a new text for. Answers how many. */
  async resealLiterals(reseal: Reseal<LiteralsOwner>): Promise<number> {
    const owner = { tenantId: 'tenant_id', serverId: 'id' };
    const literals = { table: 'tool_server', column: 'literals_sealed', owner, key: ['serverId'] } as const;
    return resealColumn<LiteralsOwner>(this.dataSource, literals, reseal);
  }
}

interface LiteralsOwner {
  readonly tenantId: string;
  readonly serverId: string;
}

type ToolServerRow = RowOf<ToolServerView>;

const COLUMNS = 'id, name, type, status, config, tools, limits, created_at, updated_at, version';
const SEALED_COLUMNS = `id, tenant_id AS "tenantId", name, type, status, config, literals_sealed AS "literalsSealed", tools,
  limits, version`;
/** Sealed texts belong to their configuration, and are replaced with it. */
const UPDATE_SQL = changeSql(
  'tool_server',
  `name = coalesce($4, name), type = coalesce($5, type), status = coalesce($6, status),
   config = coalesce($7::jsonb, config),
   literals_sealed = CASE WHEN $7::jsonb IS NULL THEN literals_sealed ELSE $8 END,
   tools = coalesce($9::jsonb, tools), limits = coalesce($10::jsonb, limits)`,
  COLUMNS,
);

function toJson(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
