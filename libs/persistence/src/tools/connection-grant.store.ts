import type { DataSource, FindOptionsWhere, QueryDeepPartialEntity, Repository } from 'typeorm';
import { ConnectionEntity } from '../entities/connection.entity.js';
import { millisecondsSql } from '../rows/milliseconds-sql.js';
import { resealColumn, type Reseal } from '../rows/reseal-rows.js';
import { toAttempt, UNSEEN, type ConnectionAttempt } from './connection.store.js';

/** A connection that can be used, its tokens still sealed. */
interface SealedConnection {
  readonly id: string;
  readonly sealed: string;
  /** Milliseconds, by the clock of the database. */
  readonly remainingMs: number;
  readonly lifetimeMs: number;
}

/** Tokens to store. */
interface SealedTokenSet {
  readonly sealed: string;
  readonly lifetimeMs: number;
  readonly scope: string | null;
}

/** Consents and tokens of connections, which workers ask for, exchange, renew and revoke. */
export class ConnectionGrantStore {
  private readonly connections: Repository<ConnectionEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.connections = dataSource.getRepository(ConnectionEntity);
  }

  /** The connection of a person to a server, where it may be used at this destination. */
  async read(
    tenantId: string,
    serverId: string,
    userId: string,
    destination: string,
  ): Promise<SealedConnection | null> {
    const row = await this.connections
      .createQueryBuilder('connection')
      .select('connection.id', 'id')
      .addSelect('connection.grantSealed', 'sealed')
      .addSelect(millisecondsSql('connection.tokenExpiresAt - now()'), 'remainingMs')
      .addSelect(millisecondsSql('connection.tokenExpiresAt - connection.tokenIssuedAt'), 'lifetimeMs')
      .where({ tenantId, serverId, userId, status: 'connected', destination })
      .getRawOne<SealedConnection>();
    return row ?? null;
  }

  /** Takes the attempt with its sealed text, which is then deleted. */
  async takeAttempt(tenantId: string, id: string, attemptId: string): Promise<ConnectionAttempt | null> {
    const held = { where: { tenantId, id, attemptId }, lock: { mode: 'pessimistic_write' } } as const;
    return this.dataSource.transaction(async (manager) => {
      const taken = toAttempt(await manager.findOne(ConnectionEntity, held));
      if (taken !== null) await manager.update(ConnectionEntity, { id }, { attemptSealed: null, ...UNSEEN });
      return taken;
    });
  }

  /** A person can be sent there now. False where a newer attempt has begun. */
  ask(id: string, attemptId: string, stateSha256: string, sealed: string): Promise<boolean> {
    return this.change({ id, attemptId }, { attemptState: stateSha256, attemptSealed: sealed, ...UNSEEN });
  }

  async fail(id: string, attemptId: string, fault: string): Promise<void> {
    await this.change({ id, attemptId }, { attemptFault: fault, attemptSealed: null, ...UNSEEN });
  }

  /** False where a newer attempt has begun: then the tokens are kept nowhere. */
  connect(
    id: string,
    attemptId: string,
    destination: string,
    { sealed, lifetimeMs, scope }: SealedTokenSet,
  ): Promise<boolean> {
    const connected = {
      ...{ status: 'connected' as const, reason: null, missingScope: null, scope, destination },
      ...{ grantSealed: sealed, ...LIFETIME, ...NO_REFRESH },
      ...{ attemptId: null, attemptFault: null, connectedAt: () => 'now()' },
    };
    return this.change({ id, attemptId }, connected, { lifetimeMs });
  }

  /**
   * Takes the lease for renewing the tokens, for 30 s; null while another process holds it. `isAfterLost`: the previous
   * holder neither stored new tokens nor released the lease.
   */
  async beginRefresh(id: string, lease: string): Promise<{ readonly isAfterLost: boolean } | null> {
    return this.dataSource.transaction(async (manager) => {
      const connections = manager.getRepository(ConnectionEntity);
      const free = connections.createQueryBuilder().where({ id, status: 'connected' }).andWhere(IS_FREE);
      const held = await free.setLock('pessimistic_write').getOne();
      if (held === null) return null;
      await connections.update({ id }, { refreshLease: lease, refreshUntil: () => REFRESH_END, ...UNSEEN });
      return { isAfterLost: held.refreshLease !== null };
    });
  }

  /** False where it was revoked, or connected anew, in between. */
  keepRefreshed(id: string, lease: string, { sealed, lifetimeMs, scope }: SealedTokenSet): Promise<boolean> {
    const refreshed = { grantSealed: sealed, ...(scope !== null && { scope }), ...LIFETIME, ...NO_REFRESH };
    return this.change({ id, refreshLease: lease, status: 'connected' }, refreshed, { lifetimeMs });
  }

  async endRefresh(id: string, lease: string): Promise<void> {
    await this.change({ id, refreshLease: lease }, { ...NO_REFRESH, ...UNSEEN });
  }

  /** Its tokens are of no use any more, and are deleted. */
  async giveUp(id: string, lease: string, reason: string): Promise<void> {
    const lost = { status: 'needs_reconnect' as const, reason, grantSealed: null, ...NO_REFRESH };
    await this.change({ id, refreshLease: lease, status: 'connected' }, lost);
  }

  async noteMissingScope(id: string, scope: string): Promise<void> {
    await this.change({ id, status: 'connected' }, { missingScope: scope });
  }

  /** Seals texts anew where `reseal` answers a new one. Answers how many. */
  async resealAll(reseal: Reseal<ConnectionOwner>): Promise<number> {
    const owner = { tenantId: 'tenant_id', connectionId: 'id' };
    const place = { table: 'connection', owner, key: ['connectionId'] } as const;
    let count = 0;
    for (const column of ['grant_sealed', 'attempt_sealed'])
      count += await resealColumn<ConnectionOwner>(this.dataSource, { ...place, column }, reseal);
    return count;
  }

  /** False where there is no such connection. */
  private async change(
    where: FindOptionsWhere<ConnectionEntity>,
    values: QueryDeepPartialEntity<ConnectionEntity>,
    parameters: { readonly lifetimeMs?: number } = {},
  ): Promise<boolean> {
    const update = this.connections.createQueryBuilder().update().set(values).where(where);
    return (await update.setParameters(parameters).execute()).affected !== 0;
  }
}

interface ConnectionOwner {
  readonly tenantId: string;
  readonly connectionId: string;
}

const LIFETIME = {
  tokenIssuedAt: () => 'now()',
  tokenExpiresAt: () => `now() + :lifetimeMs::float8 * interval '1 millisecond'`,
};
/** A renewal has 30 s; an exchange with an authorization server takes at most 10 s. */
const REFRESH_END = `now() + interval '30 seconds'`;
const NO_REFRESH = { refreshLease: null, refreshUntil: null };
const IS_FREE = '(refresh_until IS NULL OR refresh_until < now())';
