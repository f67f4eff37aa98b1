import type { DataSource } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { queryRows } from '../sql.js';

export interface ToolTrial {
  /** UUID v7. */
  readonly id: string;
  readonly tenantId: string;
  readonly serverId: string;
  /** Null for a probe. */
  readonly toolName: string | null;
  readonly input: JsonObject | null;
  readonly tokensSealed: string | null;
  /** On whose behalf; null for nobody's. */
  readonly userId: string | null;
}

/** How long trials are kept. */
const KEPT_DAYS = 90;
/** After so long nobody waits for an answer any more. */
const FORGOTTEN_AFTER_MINUTES = 10;

/** What people try of tool servers. */
export class ToolTrialStore {
  constructor(private readonly dataSource: DataSource) {}

  async begin(trial: ToolTrial & { readonly askedBy: string | null }): Promise<void> {
    await queryRows(
      this.dataSource,
      `INSERT INTO tool_trial (id, tenant_id, server_id, tool_name, input, tokens_sealed, user_id, asked_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[trial.id, trial.tenantId, trial.serverId, trial.toolName],
        ...[trial.input === null ? null : JSON.stringify(trial.input), trial.tokensSealed, trial.userId],
        trial.askedBy,
      ],
    );
  }

  /** Takes it, once: a job that comes twice runs no tool twice. Its tokens are kept no longer. Null where it is taken. */
  async take(tenantId: string, id: string): Promise<ToolTrial | null> {
    const [row] = await queryRows<ToolTrial>(
      this.dataSource,
      `WITH asked AS (
         SELECT id, tokens_sealed FROM tool_trial WHERE tenant_id = $1 AND id = $2 AND status = 'asked' FOR UPDATE
       )
       UPDATE tool_trial trial SET status = 'running', tokens_sealed = NULL FROM asked WHERE trial.id = asked.id
       RETURNING trial.id, trial.tenant_id AS "tenantId", trial.server_id AS "serverId", trial.tool_name AS "toolName",
                 trial.input, asked.tokens_sealed AS "tokensSealed",
                 trial.user_id AS "userId"`,
      [tenantId, id],
    );
    return row ?? null;
  }

  async finish(tenantId: string, id: string, answer: JsonObject): Promise<void> {
    await queryRows(
      this.dataSource,
      `UPDATE tool_trial SET status = 'done', answer = $3, finished_at = now()
        WHERE tenant_id = $1 AND id = $2 AND status = 'running'`,
      [tenantId, id, JSON.stringify(answer)],
    );
  }

  /** Nobody waits for it any more: no worker takes it from now on. Answers whether none had. */
  async abandon(tenantId: string, id: string): Promise<boolean> {
    const rows = await queryRows(
      this.dataSource,
      `UPDATE tool_trial SET status = 'abandoned', tokens_sealed = NULL, finished_at = now()
        WHERE tenant_id = $1 AND id = $2 AND status = 'asked' RETURNING id`,
      [tenantId, id],
    );
    return rows.length > 0;
  }

  /** Null until there is one. */
  async readAnswer(tenantId: string, id: string): Promise<JsonObject | null> {
    const sql = `SELECT answer FROM tool_trial WHERE tenant_id = $1 AND id = $2`;
    const [row] = await queryRows<{ answer: JsonObject | null }>(this.dataSource, sql, [tenantId, id]);
    return row?.answer ?? null;
  }

  /** Removes old trials, and the tokens of those whose API has died. Answers how many rows that were. */
  async expire(): Promise<number> {
    const rows = await queryRows(
      this.dataSource,
      `WITH old AS (
         DELETE FROM tool_trial WHERE created_at < now() - interval '${KEPT_DAYS} days' RETURNING id
       ), forgotten AS (
         UPDATE tool_trial SET status = 'abandoned', tokens_sealed = NULL, finished_at = now()
          WHERE status = 'asked' AND created_at < now() - interval '${FORGOTTEN_AFTER_MINUTES} minutes'
            AND created_at >= now() - interval '${KEPT_DAYS} days'
         RETURNING id
       )
       SELECT id FROM old UNION ALL SELECT id FROM forgotten`,
    );
    return rows.length;
  }
}
