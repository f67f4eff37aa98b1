import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every filter of a list finds its page in an index, also where nothing matches. No index is of a column that changes but for
 * the status of what has ended, so none of them costs an update anything that is HOT without it: an execution costs two more
 * entries, one when it is accepted and one when it has ended; a session none, since two indexes of parts replace a whole one, and
 * one for its agent; a delivery one, when it has ended.
 */
export class IndexEveryListFilter1764000000030 implements MigrationInterface {
  readonly name = 'IndexEveryListFilter1764000000030';

  async up(runner: QueryRunner): Promise<void> {
    for (const { name, on } of INDEXES) await runner.query(`CREATE INDEX "${name}" ON ${on}`);
    await runner.query(`DROP INDEX "${SESSIONS_BEFORE}"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX "${SESSIONS_BEFORE}" ON "chat_session" ("tenant_id", "id")`);
    for (const { name } of INDEXES) await runner.query(`DROP INDEX "${name}"`);
  }
}

const SESSIONS_BEFORE = 'IDX_93e17de67ba81f811b902f1bab';
const HAS_ENDED = `"status" IN ('requires_action', 'completed', 'incomplete', 'failed', 'cancelled')`;

const INDEXES = [
  { name: 'execution_agent_idx', on: `"execution" ("tenant_id", "agent_id", "id")` },
  {
    name: 'execution_agent_status_idx',
    on: `"execution" ("tenant_id", "agent_id", "status", "id") WHERE ${HAS_ENDED}`,
  },
  { name: 'chat_session_active_idx', on: `"chat_session" ("tenant_id", "id") WHERE "is_active"` },
  { name: 'chat_session_archived_idx', on: `"chat_session" ("tenant_id", "id") WHERE NOT "is_active"` },
  {
    name: 'chat_session_agent_active_idx',
    on: `"chat_session" ("tenant_id", "agent_id", "id") WHERE "is_active"`,
  },
  {
    name: 'chat_session_agent_archived_idx',
    on: `"chat_session" ("tenant_id", "agent_id", "id") WHERE NOT "is_active"`,
  },
  {
    name: 'webhook_delivery_status_idx',
    on: `"webhook_delivery" ("tenant_id", "status", "id") WHERE "status" IN ('delivered', 'exhausted')`,
  },
  {
    name: 'chat_message_system_idx',
    on: `"chat_message" ("session_id", "turn_number") WHERE "role" = 'system'`,
  },
];
