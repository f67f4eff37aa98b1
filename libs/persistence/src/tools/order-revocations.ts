import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { resealRows, type Reseal, type SealedText } from '../rows/reseal-rows.js';

/** Kind of a task that revokes a user's tokens after their tool server was deleted. Its id is that of the connection. */
export const REVOKE_TOKENS = 'revoke-tokens';

/**
 * Deletes the connections of a server that is about to be deleted, and orders the revocation of their tokens. Tokens that
 * are renewed at this moment find no connection to be stored in; the process that renewed them revokes them. The tokens
 * stay sealed to the connection and the server.
 */
export async function orderRevocations(manager: EntityManager, serverId: string): Promise<void> {
  await queryRows(
    manager,
    `WITH gone AS (
       DELETE FROM connection WHERE server_id = $1
       RETURNING id, tenant_id, coalesce(grant_sealed, CASE status WHEN 'revoked' THEN attempt_sealed END) AS grant_sealed
     )
     INSERT INTO background_task (id, tenant_id, kind, data)
     SELECT gone.id, gone.tenant_id, $2,
            jsonb_build_object('serverId', server.id, 'auth', server.config -> 'auth',
                               'literalsSealed', server.literals_sealed, 'grantSealed', gone.grant_sealed)
       FROM gone JOIN tool_server server ON server.id = $1 WHERE gone.grant_sealed IS NOT NULL RETURNING 1`,
    [serverId, REVOKE_TOKENS],
  );
}

interface RevocationOwner {
  readonly tenantId: string;
  readonly serverId: string;
  readonly connectionId: string;
}

/**
 * Seals the secrets of waiting revocations anew: the tokens (`grantSealed`), or the secrets of the server
 * (`literalsSealed`). Answers how many.
 */
export async function resealRevocations(
  dataSource: DataSource,
  field: 'grantSealed' | 'literalsSealed',
  reseal: Reseal<RevocationOwner>,
): Promise<number> {
  const rows = await queryRows<SealedText<RevocationOwner>>(
    dataSource,
    `SELECT data ->> $2 AS sealed,
            jsonb_build_object('tenantId', tenant_id, 'serverId', data ->> 'serverId', 'connectionId', id) AS owner
       FROM background_task WHERE kind = $1 AND data ->> $2 IS NOT NULL ORDER BY id`,
    [REVOKE_TOKENS, field],
  );
  const replace = `UPDATE background_task SET data = jsonb_set(data, ARRAY[$4], to_jsonb($2::text))
    WHERE data ->> $4 = $1 AND id = $3 RETURNING 1`;
  return resealRows(dataSource, rows, reseal, replace, ({ connectionId }) => [connectionId, field]);
}
