import { LessThan, MoreThan, type DataSource, type Repository } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import type { ToolOverride, ToolServerLimits, ToolServerType } from '#libs/tooling';
import { ToolServerListingEntity } from '../entities/tool-server-listing.entity.js';
import { ToolServerEntity, type ToolServerStatus } from '../entities/tool-server.entity.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import { bindTo, madeWithin, UUIDS, type MadeWithin } from '../rows/list-conditions.js';
import { resealColumn, type Reseal } from '../rows/reseal-rows.js';
import { countUnderLock } from '../executions/count-under-lock.js';
import { orderRevocations } from './order-revocations.js';
import { isTaken } from '../rows/sql-state.js';
import {
  changedView,
  changeVersioned,
  insertUnlessTaken,
  versionedView,
} from '../rows/versioned-repository.js';
import type { ExpectedVersions, Versioned, VersionedChange } from '../rows/versioned.js';

/** A tool server as the API shows it. */
export interface ToolServerView {
  /** UUID v7. */
  readonly id: string;
  readonly name: string;
  readonly type: ToolServerType;
  readonly status: ToolServerStatus;
  /** Sealed texts of templates are null. Lists omit `document`. */
  readonly config: JsonObject;
  readonly tools: Readonly<Record<string, ToolOverride>>;
  readonly limits: ToolServerLimits;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ToolServerFields = Omit<ToolServerView, 'id' | 'created_at' | 'updated_at'>;

/** Fields with the sealed texts of their configuration, null if it has none. */
export type GivenToolServer = ToolServerFields & { readonly literalsSealed: string | null };

export interface ToolServerFilter extends MadeWithin {
  readonly status?: ToolServerStatus | undefined;
  readonly type?: ToolServerType | undefined;
  readonly isOldestFirst: boolean;
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/** A row as a run needs it, its secrets still sealed. */
export type SealedToolServer = Omit<ToolServerEntity, 'createdAt' | 'updatedAt'>;

/** Limit of servers of one tenant: a run that may use all of them asks each. */
export const MAX_TOOL_SERVERS = 100;

/** `name_taken`: by another server of the tenant. `too_many`: there are {@link MAX_TOOL_SERVERS} already. */
export type ToolServerCreation =
  | ({ readonly kind: 'created' } & Versioned<ToolServerView>)
  | { readonly kind: 'name_taken' }
  | { readonly kind: 'too_many' };
export type ToolServerChange = VersionedChange<ToolServerView> | { readonly kind: 'name_taken' };

/** Tool servers of one tenant. */
export class ToolServerStore {
  private readonly servers: Repository<ToolServerEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.servers = dataSource.getRepository(ToolServerEntity);
  }

  /** In the order of their making, without the documents of their configurations. */
  async list(tenantId: string, filter: ToolServerFilter): Promise<RowsOfPage<ToolServerView>> {
    const { status, type, isOldestFirst, lastId, limit } = filter;
    const servers = this.servers
      .createQueryBuilder('server')
      .where({ tenantId, ...(status && { status }), ...(type && { type }) });
    if (lastId !== undefined) servers.andWhere({ id: isOldestFirst ? MoreThan(lastId) : LessThan(lastId) });
    for (const within of madeWithin(filter, 'server', bindTo(servers), UUIDS)) servers.andWhere(within);
    const page = { orderBy: isOldestFirst ? 'id' : 'id DESC', limit, instead: WITHOUT_DOCUMENTS };
    return mapRows(await readEntityPage(this.servers, servers, page), toView);
  }

  async find(tenantId: string, id: string): Promise<Versioned<ToolServerView> | null> {
    const server = await this.servers.findOneBy({ tenantId, id });
    return server && versionedView(server, toView);
  }

  async findByName(tenantId: string, name: string): Promise<Versioned<ToolServerView> | null> {
    const server = await this.servers.findOneBy({ tenantId, name });
    return server && versionedView(server, toView);
  }

  /** Finds it in any status. */
  findSealed(tenantId: string, id: string): Promise<SealedToolServer | null> {
    return this.servers.findOneBy({ tenantId, id });
  }

  /** The active servers and their versions, by name, ascending. */
  listActive(tenantId: string): Promise<Pick<SealedToolServer, 'id' | 'name' | 'version'>[]> {
    const select = { id: true, name: true, version: true };
    return this.servers.find({ select, where: { tenantId, status: 'active' }, order: { name: 'ASC' } });
  }

  /**
   * All servers by name, in any status, each with the names of its tools; null if its listing is of another version.
   */
  async listKnown(tenantId: string): Promise<ReadonlyMap<string, readonly string[] | null>> {
    const rows = await this.servers
      .createQueryBuilder('server')
      .leftJoin(ToolServerListingEntity, 'listing', IS_LISTING_OF_VERSION)
      .select('server.name', 'name')
      .addSelect(`jsonb_path_query_array(listing.tools, '$[*].name')`, 'tools')
      .where({ tenantId })
      .orderBy('server.name')
      .getRawMany<{ name: string; tools: string[] | null }>();
    return new Map(rows.map(({ name, tools }) => [name, tools]));
  }

  async create(tenantId: string, id: string, given: GivenToolServer): Promise<ToolServerCreation> {
    return this.dataSource.transaction(async (manager) => {
      if ((await countUnderLock(manager, 'tool_server', tenantId)) >= MAX_TOOL_SERVERS)
        return { kind: 'too_many' };
      const servers = manager.getRepository(ToolServerEntity);
      const made = await insertUnlessTaken(servers, { id, tenantId, ...given });
      return made ? { kind: 'created', ...versionedView(made, toView) } : { kind: 'name_taken' };
    });
  }

  /** Fields that are not given stay, also where they change at the same time: it is one statement. */
  async update(
    tenantId: string,
    id: string,
    { literalsSealed, ...given }: Partial<GivenToolServer>,
    expected: ExpectedVersions,
  ): Promise<ToolServerChange> {
    // Sealed texts belong to their configuration, and are replaced with it.
    const values = { ...given, ...(given.config && { literalsSealed: literalsSealed ?? null }) };
    try {
      return changedView(await changeVersioned(this.servers, { tenantId, id }, values, expected), toView);
    } catch (error) {
      if (isTaken(error)) return { kind: 'name_taken' };
      throw error;
    }
  }

  /** Deletes its connections, too, and orders the revocation of their tokens. */
  async delete(
    tenantId: string,
    id: string,
    expected: ExpectedVersions,
  ): Promise<'deleted' | 'not_found' | 'other_version'> {
    return this.dataSource.transaction(async (manager) => {
      const held = { where: { tenantId, id }, lock: { mode: 'pessimistic_write' } } as const;
      const server = await manager.findOne(ToolServerEntity, held);
      if (server === null) return 'not_found';
      if (expected !== null && !expected.includes(server.version)) return 'other_version';
      await orderRevocations(manager, id);
      await manager.delete(ToolServerEntity, { id });
      return 'deleted';
    });
  }

  /** Seals texts anew where `reseal` answers a new one. Answers how many. */
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

const WITHOUT_DOCUMENTS = { config: `server.config - 'document'` };
const IS_LISTING_OF_VERSION = 'listing.serverId = server.id AND listing.serverVersion = server.version';

function toView(server: ToolServerEntity): ToolServerView {
  const { id, name, type, status, config, tools, limits, createdAt, updatedAt } = server;
  return {
    ...{ id, name, type, status, config, tools, limits },
    ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
  };
}
