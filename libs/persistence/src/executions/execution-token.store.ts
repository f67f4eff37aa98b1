import type { SealedToken } from '#libs/executions';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { resealRows, type Reseal, type SealedText } from '../rows/reseal-rows.js';

/** Stored secrets of one execution. */
export interface SealedTokens {
  /** Names in the request. */
  readonly names: readonly string[];
  /** Secrets that still exist. */
  readonly tokens: readonly SealedToken[];
}

/** Owner of a token; part of its seal. */
interface TokenOwner {
  readonly tenantId: string;
  readonly executionId: string;
  readonly name: string;
}

/** Tokens per batch when all are resealed. */
const RESEALED_AT_ONCE = 500;

/** Secrets of requests; accepting writes them and settling deletes them. */
export class ExecutionTokenStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Null if the tenant has no such execution. */
  async read(tenantId: string, executionId: string): Promise<SealedTokens | null> {
    const [row] = await queryRows<SealedTokens>(
      this.dataSource,
      `SELECT coalesce(e.request -> 'token_names', '[]') AS names,
              (SELECT coalesce(jsonb_agg(jsonb_build_object('name', token.name, 'sealed', token.sealed)), '[]')
                 FROM execution_token token WHERE token.execution_id = e.id AND token.expires_at > now()) AS tokens
         FROM execution e WHERE e.tenant_id = $1 AND e.id = $2`,
      [tenantId, executionId],
    );
    return row ?? null;
  }

  /** Deletes expired secrets, and those of ended executions that an older release left behind. */
  async expire(): Promise<void> {
    await queryRows(
      this.dataSource,
      `DELETE FROM execution_token token
        WHERE expires_at < now()
           OR EXISTS (SELECT 1 FROM execution e WHERE e.id = token.execution_id AND e.finished_at IS NOT NULL)`,
    );
  }

  /** Replaces each secret for which `reseal` returns a new text. Returns the number of replaced secrets. */
  async resealAll(reseal: Reseal<TokenOwner>): Promise<number> {
    const replace = `UPDATE execution_token SET sealed = $2
                      WHERE sealed = $1 AND execution_id = $3 AND name = $4 RETURNING name`;
    let count = 0;
    let after: readonly [string, string] = ['00000000-0000-0000-0000-000000000000', ''];
    for (;;) {
      const rows = await queryRows<SealedText<TokenOwner>>(
        this.dataSource,
        `SELECT sealed, jsonb_build_object('tenantId', tenant_id, 'executionId', execution_id, 'name', name) AS owner
           FROM execution_token WHERE (execution_id, name) > ($1::uuid, $2)
          ORDER BY execution_id, name LIMIT $3`,
        [...after, RESEALED_AT_ONCE],
      );
      count += await resealRows(this.dataSource, rows, reseal, replace, keyOf);
      const last = rows.at(-1);
      if (last === undefined) return count;
      after = keyOf(last.owner);
    }
  }
}

function keyOf({ executionId, name }: TokenOwner): readonly [string, string] {
  return [executionId, name];
}
