import { LessThan, type DataSource, type Repository } from 'typeorm';
import { ConnectionEntity, type ConnectionStatus } from '../entities/connection.entity.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import { changeRow } from '../rows/versioned-repository.js';
import { holdToolServer } from './hold-tool-server.js';

/** A connection as the API shows it, without secrets. */
export interface ConnectionView {
  /** UUID v7. */
  readonly id: string;
  readonly server_id: string;
  readonly user_id: string;
  readonly status: ConnectionStatus;
  readonly reason: string | null;
  readonly scope: string | null;
  readonly missing_scope: string | null;
  readonly connected_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ConnectionFilter {
  readonly serverId?: string | undefined;
  readonly userId?: string | undefined;
  readonly status?: ConnectionStatus | undefined;
  readonly lastId?: string | undefined;
  readonly limit: number;
}

/** A step that is under way with a connection: a consent that is asked for, or tokens that are to be revoked. */
export interface ConnectionAttempt {
  readonly id: string;
  readonly attemptId: string;
  readonly serverId: string;
  readonly sealed: string | null;
  readonly fault: string | null;
  readonly missingScope: string | null;
}

/** Connections of one tenant, as its clients see and make them. */
export class ConnectionStore {
  private readonly connections: Repository<ConnectionEntity>;

  constructor(private readonly dataSource: DataSource) {
    this.connections = dataSource.getRepository(ConnectionEntity);
  }

  /** Newest first. */
  async list(tenantId: string, filter: ConnectionFilter): Promise<RowsOfPage<ConnectionView>> {
    const { serverId, userId, status, lastId, limit } = filter;
    const connections = this.connections.createQueryBuilder('connection').where({
      tenantId,
      ...(serverId !== undefined && { serverId }),
      ...(userId !== undefined && { userId }),
      ...(status !== undefined && { status }),
      ...(lastId !== undefined && { id: LessThan(lastId) }),
    });
    const page = { orderBy: 'id DESC', limit, instead: WITHOUT_SECRETS };
    return mapRows(await readEntityPage(this.connections, connections, page), toView);
  }

  async find(tenantId: string, id: string): Promise<ConnectionView | null> {
    const connection = await this.connections.findOneBy({ tenantId, id });
    return connection && toView(connection);
  }

  /**
   * Begins to ask a person for consent, in place of an earlier attempt of theirs. An earlier consent stays until they agree
   * again. Answers the id of their connection; null if the server is gone.
   */
  async begin(
    tenantId: string,
    given: {
      readonly id: string;
      readonly serverId: string;
      readonly userId: string;
      readonly attemptId: string;
    },
  ): Promise<string | null> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await holdToolServer(manager, tenantId, given.serverId))) return null;
      const insert = manager.createQueryBuilder().insert().into(ConnectionEntity);
      insert.values({ ...given, tenantId, attemptExpiresAt: () => ATTEMPT_END });
      const begun = await insert.orUpdate(ATTEMPT_COLUMNS, KEY_COLUMNS).returning('id').execute();
      return (begun.raw as { id: string }[])[0]?.id ?? null;
    });
  }

  async readAttempt(tenantId: string, id: string, attemptId: string): Promise<ConnectionAttempt | null> {
    return toAttempt(await this.connections.findOneBy({ tenantId, id, attemptId }));
  }

  /** Takes the attempt of a person who comes back with this state. A state is good once. */
  async takeState(tenantId: string, stateSha256: string): Promise<ConnectionAttempt | null> {
    const ofState = { tenantId, attemptState: stateSha256 };
    const taken = { attemptState: null };
    return toAttempt(await changeRow(this.connections, ofState, taken, 'attempt_expires_at > now()'));
  }

  /** Stores what the next step of the attempt needs. False where a newer attempt has begun. */
  async handOver(id: string, attemptId: string, sealed: string): Promise<boolean> {
    const { affected } = await this.connections.update(
      { id, attemptId },
      { attemptSealed: sealed, ...UNSEEN },
    );
    return affected !== 0;
  }

  /** Ends its use; the new attempt holds its tokens, for the worker that revokes them. Null if it is gone. */
  async revoke(tenantId: string, id: string, attemptId: string): Promise<ConnectionView | null> {
    const revoked = await changeRow(
      this.connections,
      { tenantId, id },
      {
        ...{ status: 'revoked' as const, reason: null, scope: null, missingScope: null },
        ...{ grantSealed: null, destination: null, tokenIssuedAt: null, tokenExpiresAt: null },
        ...{ refreshLease: null, refreshUntil: null },
        ...{ attemptId, attemptState: null, attemptFault: null, attemptExpiresAt: () => ATTEMPT_END },
        attemptSealed: () => TOKENS_TO_REVOKE,
      },
    );
    return revoked && toView(revoked);
  }

  async delete(tenantId: string, id: string): Promise<void> {
    await this.connections.delete({ tenantId, id });
  }

  /** Deletes connections that never came about, and clears attempts that have expired. Answers how many rows that were. */
  async expire(): Promise<number> {
    const never = this.connections.createQueryBuilder().delete().where({ status: 'pending' });
    const deleted = await never.andWhere(`attempt_expires_at < now() - interval '1 day'`).execute();
    const nothing = { attemptId: null, attemptState: null, attemptSealed: null, ...UNSEEN };
    const expired = this.connections.createQueryBuilder().update().set(nothing);
    const cleared = await expired.where('attempt_expires_at < now() AND attempt_id IS NOT NULL').execute();
    return (deleted.affected ?? 0) + (cleared.affected ?? 0);
  }
}

/** Leaves `updated_at` as it is, for a change that clients do not see. */
export const UNSEEN = { updatedAt: () => 'updated_at' };

/** A person has ten minutes at the authorization server. */
const ATTEMPT_END = `now() + interval '10 minutes'`;
const KEY_COLUMNS = ['tenant_id', 'server_id', 'user_id'];
/** Columns that a new attempt overwrites. */
const ATTEMPT_COLUMNS = ['id', 'expires_at', 'state', 'sealed', 'fault'].map((column) => `attempt_${column}`);
/** A connection that was revoked before may still hold its tokens in the attempt. */
const TOKENS_TO_REVOKE = `coalesce(grant_sealed, CASE status WHEN 'revoked' THEN attempt_sealed END)`;
const WITHOUT_SECRETS = { grantSealed: 'NULL::text', attemptSealed: 'NULL::text' };

function toView(connection: ConnectionEntity): ConnectionView {
  const { id, serverId: server_id, userId: user_id, status, reason, scope } = connection;
  return {
    ...{ id, server_id, user_id, status, reason, scope, missing_scope: connection.missingScope },
    connected_at: connection.connectedAt?.toISOString() ?? null,
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  };
}

/** The attempt of a connection; null without a connection or an attempt. */
export function toAttempt(connection: ConnectionEntity | null): ConnectionAttempt | null {
  if (connection === null || connection.attemptId === null) return null;
  const { id, attemptId, serverId, attemptSealed: sealed, attemptFault: fault, missingScope } = connection;
  return { id, attemptId, serverId, sealed, fault, missingScope };
}
