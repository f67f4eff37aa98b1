import type { DataSource, EntityManager } from 'typeorm';
import { IntakeStore, type Acceptance, type EarlierAcceptance, type Submission } from '#libs/executions';
import { queryRows } from '../sql.js';
import { ACCEPTED_COLUMNS, toExecutionView, type ExecutionViewRow } from './execution-view.mapper.js';

/** How long an `Idempotency-Key` is remembered. */
const IDEMPOTENCY_RETENTION = '24 hours';

/** Accepts work in one statement, hence one transaction and one round trip. */
export class ExecutionIntakeStore extends IntakeStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async findEarlier(submission: Submission): Promise<EarlierAcceptance | null> {
    return submission.idempotency === null
      ? null
      : findEarlier(this.dataSource.manager, submission.tenantId, submission.idempotency);
  }

  override accept(submission: Submission): Promise<Acceptance> {
    return this.acceptIn(this.dataSource.manager, submission);
  }

  /** Whoever locks the row of the conversation first may look. */
  override acceptIfFree(submission: Submission & { readonly sessionId: string }): Promise<Acceptance> {
    return this.dataSource.transaction(async (manager) => {
      const [session] = await queryRows<{ is_active: boolean }>(
        manager,
        `SELECT is_active FROM chat_session WHERE id = $1 AND tenant_id = $2 AND agent_id = $3 FOR UPDATE`,
        [submission.sessionId, submission.tenantId, submission.agentId],
      );
      // One that is not theirs or archived is refused for that, not for what still runs in it.
      if (session?.is_active !== true) return this.acceptIn(manager, submission);
      const unsettled = await queryRows(
        manager,
        `SELECT 1 FROM execution
          WHERE session_id = $1 AND status IN ('queued', 'running', 'requires_action') LIMIT 1`,
        [submission.sessionId],
      );
      if (unsettled.length === 0) return this.acceptIn(manager, submission);
      // A request that came before is answered as such, not refused because of itself.
      const { tenantId, idempotency } = submission;
      const earlier = idempotency === null ? null : await findEarlier(manager, tenantId, idempotency);
      return earlier ?? { kind: 'session_busy' };
    });
  }

  private async acceptIn(manager: EntityManager, submission: Submission): Promise<Acceptance> {
    const rows = await queryRows<ExecutionViewRow>(manager, acceptSql(submission), [
      submission.executionId,
      submission.tenantId,
      submission.agentId,
      submission.sessionId ?? submission.newSessionId,
      JSON.stringify(submission.request),
      JSON.stringify(submission.metadata),
      ...keyParameters(submission),
      ...webhookParameters(submission),
    ]);
    if (rows[0]) return { kind: 'accepted', view: toExecutionView(rows[0]) };
    const { tenantId, idempotency } = submission;
    const earlier = idempotency === null ? null : await findEarlier(manager, tenantId, idempotency);
    return (
      earlier ?? { kind: (await isArchived(manager, submission)) ? 'session_archived' : 'session_not_found' }
    );
  }
}

/** Whether the session would take the execution if it were not archived. */
async function isArchived(
  manager: EntityManager,
  { tenantId, agentId, sessionId }: Submission,
): Promise<boolean> {
  const rows = await queryRows(
    manager,
    `SELECT 1 FROM chat_session WHERE tenant_id = $1 AND agent_id = $2 AND id = $3 AND NOT is_active`,
    [tenantId, agentId, sessionId],
  );
  return rows.length > 0;
}

async function findEarlier(
  manager: EntityManager,
  tenantId: string,
  { key, requestSha256 }: NonNullable<Submission['idempotency']>,
): Promise<EarlierAcceptance | null> {
  const [known] = await queryRows<{ request_sha256: string; execution_id: string }>(
    manager,
    `SELECT request_sha256, execution_id FROM idempotency_key
      WHERE tenant_id = $1 AND key = $2 AND expires_at >= now()`,
    [tenantId, key],
  );
  if (!known) return null;
  if (known.request_sha256 !== requestSha256) return { kind: 'key_reused' };
  return { kind: 'replayed', executionId: known.execution_id };
}

function keyParameters({ idempotency }: Submission): readonly string[] {
  return idempotency === null ? [] : [idempotency.key, idempotency.requestSha256];
}

function webhookParameters({ webhook }: Submission): readonly unknown[] {
  if (webhook === null) return [];
  return [webhook.url, new URL(webhook.url).origin, webhook.events, webhook.firstSecretSealed];
}

/**
 * A concurrent request with the same key waits on the unique index until the first has committed, and then finds it.
 * A known key whose time is over is taken over. When the session does not exist, the key is not kept either: the
 * foreign key of the remembered execution would not hold, so key and execution stand or fall together.
 */
function acceptSql(submission: Submission): string {
  const mayGoOn = submission.idempotency ? 'EXISTS (SELECT 1 FROM fresh_key)' : 'true';
  const session = submission.sessionId
    ? `UPDATE chat_session SET next_turn = next_turn + 1, updated_at = now()
        WHERE id = $4 AND tenant_id = $2 AND agent_id = $3 AND is_active AND ${mayGoOn}
        RETURNING id, next_turn - 1 AS turn`
    : `INSERT INTO chat_session (id, tenant_id, agent_id, next_turn)
        SELECT $4, $2, $3, 2 WHERE ${mayGoOn} RETURNING id, 1 AS turn`;
  const sessionExists = submission.sessionId
    ? `EXISTS (SELECT 1 FROM chat_session WHERE id = $4 AND tenant_id = $2 AND agent_id = $3 AND is_active)`
    : 'true';
  const key = submission.idempotency
    ? `fresh_key AS (
        INSERT INTO idempotency_key AS known (tenant_id, key, request_sha256, execution_id, expires_at)
        SELECT $2, $7, $8, $1::uuid, now() + interval '${IDEMPOTENCY_RETENTION}' WHERE ${sessionExists}
        ON CONFLICT (tenant_id, key) DO UPDATE
          SET request_sha256 = excluded.request_sha256, execution_id = excluded.execution_id, expires_at = excluded.expires_at
          WHERE known.expires_at < now()
        RETURNING 1),`
    : '';
  return `
    WITH ${key}
    session AS (${session})
    ${webhookSql(submission)}
    INSERT INTO execution (id, tenant_id, agent_id, agent_version, session_id, turn_number, request, metadata)
    SELECT $1, $2, $3, (SELECT version FROM agent WHERE agent.id = $3), session.id, session.turn, $5, $6 FROM session
    RETURNING ${ACCEPTED_COLUMNS}`;
}

/** Who is notified of it, and what this is signed with, where nothing is yet. */
function webhookSql(submission: Submission): string {
  if (submission.webhook === null) return '';
  const [url, receiver, events, secret] = [1, 2, 3, 4].map(
    (n) => `$${6 + keyParameters(submission).length + n}`,
  );
  return `, webhook AS (
      INSERT INTO execution_webhook (execution_id, tenant_id, url, receiver, events)
      SELECT $1::uuid, $2, ${url}, ${receiver}, ${events}::text[] FROM session
    ), first_secret AS (
      INSERT INTO webhook_signing_secret (tenant_id, secret_sealed) SELECT $2, ${secret} FROM session
      ON CONFLICT (tenant_id) DO NOTHING
    )`;
}

/** Forgets the keys whose time is over. */
export async function expireIdempotencyKeys(dataSource: DataSource): Promise<void> {
  await queryRows(dataSource, `DELETE FROM idempotency_key WHERE expires_at < now()`);
}
