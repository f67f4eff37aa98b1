import type { SealedToken } from '#libs/executions';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** What is stored of the secrets of one execution. */
export interface SealedTokens {
  /** What its request gave. */
  readonly names: readonly string[];
  /** What of it is still kept. */
  readonly tokens: readonly SealedToken[];
}

/** Answers a sealed text anew, or null when it is to stay as it is. */
export type ResealToken = (
  sealed: string,
  token: { readonly tenantId: string; readonly executionId: string; readonly name: string },
) => string | null;

/** How many are sealed anew at once. */
const RESEALED_AT_ONCE = 500;

/** The secrets that requests have brought along; accepting and settling write and delete them. */
export class ExecutionTokenStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Null where the tenant has no such execution. */
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

  /**
   * Deletes what is kept no longer, and what an older release, which did not know of it, has left of executions that it
   * ended.
   */
  async expire(): Promise<void> {
    await queryRows(
      this.dataSource,
      `DELETE FROM execution_token token
        WHERE expires_at < now()
           OR EXISTS (SELECT 1 FROM execution e WHERE e.id = token.execution_id AND e.finished_at IS NOT NULL)`,
    );
  }

  /** Seals every secret anew that `reseal` answers a new text for. Answers how many. */
  async resealAll(reseal: ResealToken): Promise<number> {
    let count = 0;
    let after: readonly [string, string] = ['00000000-0000-0000-0000-000000000000', ''];
    for (;;) {
      const rows = await queryRows<TokenRow>(
        this.dataSource,
        `SELECT execution_id AS "executionId", name, tenant_id AS "tenantId", sealed FROM execution_token
          WHERE (execution_id, name) > ($1::uuid, $2) ORDER BY execution_id, name LIMIT $3`,
        [...after, RESEALED_AT_ONCE],
      );
      for (const row of rows) count += await this.replace(row, reseal(row.sealed, row));
      const last = rows.at(-1);
      if (last === undefined) return count;
      after = [last.executionId, last.name];
    }
  }

  private async replace({ executionId, name }: TokenRow, sealed: string | null): Promise<number> {
    if (sealed === null) return 0;
    const done = await queryRows(
      this.dataSource,
      `UPDATE execution_token SET sealed = $3 WHERE execution_id = $1 AND name = $2 RETURNING name`,
      [executionId, name, sealed],
    );
    return done.length;
  }
}

interface TokenRow extends SealedToken {
  readonly executionId: string;
  readonly tenantId: string;
}
