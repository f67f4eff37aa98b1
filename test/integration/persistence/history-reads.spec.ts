import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NO_RETRY, MAX_STORED_TURNS } from '#libs/executions';
import { createDataSource, ExecutionContextStore } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { PersistenceWorld } from './persistence-world.js';

/** Number of newest messages that the summary does not cover. */
const SHOWN = 20;

let world: PersistenceWorld;
/** Data source with a worker's options and one connection, so that a flush of its statistics covers all its reads. */
let counted: DataSource;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  counted = await createDataSource({
    url: world.databaseUrl,
    poolSize: 1,
    isPreparing: true,
  }).initialize();
  await fill();
});
afterAll(async () => {
  await counted.destroy();
  await world.close();
});

/** Inserts messages of other sessions, without which a sequential scan would read no more rows than an index. */
async function fill(): Promise<void> {
  await world.dataSource.query(
    `WITH other AS (
       INSERT INTO chat_session (id, tenant_id) SELECT gen_random_uuid(), 'default' FROM generate_series(1, 1000) RETURNING id
     )
     INSERT INTO chat_message (tenant_id, session_id, turn_number, ordinal, role, content)
     SELECT 'default', other.id, turn, place, CASE place WHEN 0 THEN 'user' ELSE 'assistant' END, 'x'
       FROM other, generate_series(1, 20) turn, generate_series(0, 1) place`,
  );
}

/** Claims an execution in a session of `messages` messages, two per turn; a summary may cover all but `SHOWN`. */
async function running(messages: number, isSummarised: boolean) {
  const { id, sessionId } = await world.accept();
  await world.dataSource.query(`UPDATE execution SET turn_number = $2 WHERE id = $1`, [id, messages / 2 + 1]);
  const claim = await world.claim(id);
  await world.dataSource.query(
    `INSERT INTO chat_message (tenant_id, session_id, turn_number, ordinal, role, content, tokens, tokenizer)
     SELECT 'default', $1::uuid, 1 + number / 2, 1 + number % 2, CASE number % 2 WHEN 0 THEN 'user' ELSE 'assistant' END, 'x', 1, 't'
       FROM generate_series(0, $2::int - 1) number
      UNION ALL SELECT 'default', $1::uuid, 1, 0, 'system', 's', NULL, NULL`,
    [sessionId, messages],
  );
  if (isSummarised)
    await world.dataSource.query(
      `INSERT INTO session_summary (session_id, tenant_id, first_turn, through_turn, version, content, tokens, model, written_at)
       VALUES ($1, 'default', 1, $2, 1, 'before', 1, 'm', now())`,
      [sessionId, (messages - SHOWN) / 2],
    );
  await world.dataSource.query('ANALYZE chat_message');
  return claim;
}

/** Number of message rows read so far, by sequential scans and by indexes. */
async function rowsRead(): Promise<number> {
  await counted.query('SELECT pg_stat_force_next_flush()');
  const [row] = await counted.query<{ rows: string }[]>(
    `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS rows FROM pg_stat_user_tables WHERE relname = 'chat_message'`,
  );
  return Number(row?.rows);
}

async function readOf(messages: number, isSummarised: boolean) {
  const claim = await running(messages, isSummarised);
  const before = await rowsRead();
  const context = await new ExecutionContextStore(counted).load(claim, NO_RETRY);
  const rows = (await rowsRead()) - before;
  return { rows, shown: context?.messages.length ?? 0, hasOlder: context?.hasOlder };
}

it.each([20, 200, 2_000])(
  'in a session of %i messages only those after the summary are read',
  async (messages) => {
    const { rows, shown } = await readOf(messages, true);
    expect(shown).toBe(SHOWN + 1);
    // The `SHOWN` messages and the system prompt, which is read twice if its turn is among the shown ones.
    expect(rows).toBeGreaterThan(SHOWN);
    expect(rows).toBeLessThanOrEqual(SHOWN + 2);
  },
);

it('in a long session without a summary only as many turns are read as may be shown', async () => {
  const { rows, shown, hasOlder } = await readOf(3_000, false);
  const most = 2 * MAX_STORED_TURNS;
  expect([shown, hasOlder]).toEqual([most + 1, true]);
  expect(rows).toBeLessThanOrEqual(most + 2);
});
