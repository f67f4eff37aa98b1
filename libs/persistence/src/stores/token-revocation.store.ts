import type { JsonObject } from '#libs/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { claimSql, isAnyOverdue, isFreeSql, IS_UNHELD, putOffSql } from './leased-row-sql.js';
import { resealColumn, type Reseal } from './reseal-rows.js';

/** Tokens that are to be revoked, by the connection that they were of. */
export interface DueRevocation {
  readonly connectionId: string;
}

/** A try, named by its token: what is written by whoever was overtaken changes nothing. */
export interface RevocationClaim extends DueRevocation {
  readonly token: string;
}

/** What one try needs. */
export interface ClaimedRevocation extends RevocationClaim {
  readonly tenantId: string;
  readonly serverId: string;
  /** From 1. */
  readonly tryNumber: number;
  readonly auth: JsonObject | null;
  readonly literalsSealed: string | null;
  readonly grantSealed: string;
}

export interface RevocationDispatchOptions {
  /** Jobs that may wait and run. */
  readonly queueTarget: number;
  /** A job that nobody claimed for so long is taken for lost and sent again. */
  readonly redispatchAfterMs: number;
}

/** Tokens of users whose tool servers were deleted: a row waits until they are revoked or given up, whoever dies. */
export class TokenRevocationStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Marks what is due as sent to the queue and answers it, every tenant's first before the second of any. */
  async take({ queueTarget, redispatchAfterMs }: RevocationDispatchOptions): Promise<DueRevocation[]> {
    return queryRows<DueRevocation>(this.dataSource, TAKE_SQL, [queueTarget, redispatchAfterMs]);
  }

  /** Their jobs could not be sent. */
  async requeue(due: readonly DueRevocation[]): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE token_revocation SET dispatched_at = NULL WHERE connection_id = ANY($1::uuid[]) RETURNING 1`,
      [due.map(({ connectionId }) => connectionId)],
    );
  }

  /** Takes the next try for `leaseMs`; null where there is none, or somebody else is at it. */
  async claim(connectionId: string, token: string, leaseMs: number): Promise<ClaimedRevocation | null> {
    const [row] = await queryRows<ClaimedRevocation>(
      this.dataSource,
      `UPDATE token_revocation x SET ${claimSql('$2', '$3')}
        WHERE connection_id = $1 AND due_at <= now() AND ${IS_UNHELD}
        RETURNING connection_id AS "connectionId", tenant_id AS "tenantId", server_id AS "serverId", claim_token AS token,
                  tries AS "tryNumber", auth, literals_sealed AS "literalsSealed", grant_sealed AS "grantSealed"`,
      [connectionId, token, leaseMs],
    );
    return row ?? null;
  }

  /** Revoked, or given up: nothing is kept of it. */
  async end({ connectionId, token }: RevocationClaim): Promise<void> {
    const sql = `DELETE FROM token_revocation WHERE connection_id = $1 AND claim_token = $2`;
    await queryRows(this.dataSource, sql, [connectionId, token]);
  }

  /** To be tried again, so many milliseconds later. */
  async putOff({ connectionId, token }: RevocationClaim, delayMs: number): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE token_revocation
          SET ${putOffSql('$3')}
        WHERE connection_id = $1 AND claim_token = $2 RETURNING 1`,
      [connectionId, token, delayMs],
    );
  }

  /** Whether one could have been tried for so long, and was not. */
  isOverdue(forMs: number): Promise<boolean> {
    return isAnyOverdue(this.dataSource, 'token_revocation', forMs);
  }

  /** Seals the tokens anew that `reseal` answers a new text for. Answers how many. */
  async resealGrants(reseal: Reseal<RevocationOwner>): Promise<number> {
    return resealColumn(this.dataSource, { ...PLACE, column: 'grant_sealed' }, reseal);
  }

  /** The same of the secrets of the servers that were. */
  async resealLiterals(reseal: Reseal<RevocationOwner>): Promise<number> {
    return resealColumn(this.dataSource, { ...PLACE, column: 'literals_sealed' }, reseal);
  }
}

interface RevocationOwner {
  readonly tenantId: string;
  readonly serverId: string;
  readonly connectionId: string;
}

const PLACE = {
  table: 'token_revocation',
  owner: { tenantId: 'tenant_id', serverId: 'server_id', connectionId: 'connection_id' },
  key: ['connectionId'],
} as const;

/**
 * Takes the connections of a server that is about to be deleted: what they hold becomes what is to be revoked. Tokens that
 * somebody renews at this moment find no connection to be kept in, and are revoked by whoever has renewed them.
 */
export async function orderRevocations(manager: EntityManager, serverId: string): Promise<void> {
  await queryRows(
    manager,
    `WITH gone AS (
       DELETE FROM connection WHERE server_id = $1
       RETURNING id, tenant_id, coalesce(grant_sealed, CASE status WHEN 'revoked' THEN attempt_sealed END) AS grant_sealed
     )
     INSERT INTO token_revocation (connection_id, tenant_id, server_id, auth, literals_sealed, grant_sealed)
     SELECT gone.id, gone.tenant_id, server.id, server.config -> 'auth', server.literals_sealed, gone.grant_sealed
       FROM gone JOIN tool_server server ON server.id = $1 WHERE gone.grant_sealed IS NOT NULL RETURNING 1`,
    [serverId],
  );
}

const IS_FREE = isFreeSql('$2');

const TAKE_SQL = `
  WITH due AS (
    SELECT x.connection_id, row_number() OVER (PARTITION BY x.tenant_id ORDER BY x.due_at, x.connection_id) AS place
      FROM token_revocation x WHERE x.due_at <= now() AND ${IS_FREE}
  ), chosen AS (
    SELECT connection_id FROM due ORDER BY place, connection_id
     LIMIT greatest(0, $1::int - (SELECT count(*) FROM token_revocation x WHERE NOT (${IS_FREE})))
  ), locked AS (
    SELECT x.connection_id FROM token_revocation x
     WHERE x.connection_id IN (SELECT connection_id FROM chosen) AND ${IS_FREE} FOR UPDATE SKIP LOCKED
  )
  UPDATE token_revocation SET dispatched_at = now() FROM locked
   WHERE token_revocation.connection_id = locked.connection_id
  RETURNING token_revocation.connection_id AS "connectionId"`;
