import type { DataSource, Repository } from 'typeorm';
import { ToolServerOAuthEntity } from '../entities/tool-server-oauth.entity.js';
import { millisecondsSql } from '../rows/milliseconds-sql.js';
import { resealColumn, type Reseal } from '../rows/reseal-rows.js';
import { holdToolServer } from './hold-tool-server.js';

type ToolServerOAuthKind = ToolServerOAuthEntity['kind'];

/** A version of a server. */
interface VersionedServer {
  readonly id: string;
  readonly tenantId: string;
  readonly version: number;
}

/** A sealed grant and its time left, by the clock of the database. */
interface SealedGrant {
  readonly sealed: string;
  /** Milliseconds; null if it does not expire. */
  readonly remainingMs: number | null;
  /** Milliseconds from its issue to its end; null if it has none. */
  readonly lifetimeMs: number | null;
}

/** Tokens and registrations that authorization servers have issued to tenants for their tool servers. */
export class ToolServerOAuthStore {
  private readonly grants: Repository<ToolServerOAuthEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.grants = dataSource.getRepository(ToolServerOAuthEntity);
  }

  /** Null if there is none for this version of the server that is still good. */
  async read(
    { id, tenantId, version }: VersionedServer,
    kind: ToolServerOAuthKind,
  ): Promise<SealedGrant | null> {
    const row = await this.grants
      .createQueryBuilder('given')
      .select('given.sealed', 'sealed')
      .addSelect(millisecondsSql('given.expiresAt - now()'), 'remainingMs')
      .addSelect(millisecondsSql('given.expiresAt - given.issuedAt'), 'lifetimeMs')
      .where({ serverId: id, kind, tenantId, serverVersion: version })
      .andWhere('(given.expiresAt IS NULL OR given.expiresAt > now())')
      .getRawOne<SealedGrant>();
    return row ?? null;
  }

  /**
   * Stores it in the place of the one before; does nothing where the server is gone.
   *
   * @param lifetimeMs null if it does not end
   */
  async write(
    { id, tenantId, version }: VersionedServer,
    kind: ToolServerOAuthKind,
    sealed: string,
    lifetimeMs: number | null,
  ): Promise<void> {
    const values = { serverId: id, kind, tenantId, serverVersion: version, sealed };
    await this.dataSource.transaction(async (manager) => {
      if (!(await holdToolServer(manager, tenantId, id))) return;
      const insert = manager.createQueryBuilder().insert().into(ToolServerOAuthEntity);
      insert.values({ ...values, issuedAt: () => 'now()', expiresAt: () => END });
      await insert.orUpdate(OVERWRITTEN, ['server_id', 'kind']).setParameters({ lifetimeMs }).execute();
    });
  }

  /** Seals texts anew where `reseal` answers a new one. Answers how many. */
  async resealAll(reseal: Reseal<GrantOwner>): Promise<number> {
    const owner = { tenantId: 'tenant_id', serverId: 'server_id', kind: 'kind' };
    const given = { table: 'tool_server_oauth', column: 'sealed', owner, key: ['serverId', 'kind'] } as const;
    return resealColumn<GrantOwner>(this.dataSource, given, reseal);
  }
}

interface GrantOwner {
  readonly tenantId: string;
  readonly serverId: string;
  readonly kind: ToolServerOAuthKind;
}

const END = `now() + :lifetimeMs::float8 * interval '1 millisecond'`;
const OVERWRITTEN = ['server_version', 'sealed', 'issued_at', 'expires_at'];
