// @ts-check
/** About 100 tokens. */
const TEXT = 'the quick brown fox jumps over the lazy dog '.repeat(11).trim();
const TOKENS = 100;

/**
 * Inserts sessions with earlier messages, two for each turn, without the API. Returns their ids.
 * @param {import('pg').Pool} database
 * @param {{agentId: number, sessions: number, messages: number, shown: number | null}} given `shown`: how many of the newest
 *   messages no summary stands for; null: there is none
 * @returns {Promise<string[]>}
 */
export async function insertLongSessions(database, { agentId, sessions, messages, shown }) {
  const turns = messages / 2;
  const { rows } = await database.query(
    `WITH session AS (
       INSERT INTO chat_session (id, tenant_id, agent_id, title, next_turn)
       SELECT uuidv7(), 'default', $1, 'long', $3::int + 1 FROM generate_series(1, $2) RETURNING id
     ), said AS (
       INSERT INTO chat_message (tenant_id, session_id, turn_number, ordinal, role, content, tokens, tokenizer)
       SELECT 'default', session.id, turn, place, CASE place WHEN 0 THEN 'user' ELSE 'assistant' END, $5, $6, 'cl100k_base'
         FROM session, generate_series(1, $3) turn, generate_series(0, 1) place
     ), summarised AS (
       INSERT INTO session_summary (session_id, tenant_id, first_turn, through_turn, version, content, tokens, model, written_at)
       SELECT id, 'default', 1, $3 - $4::int / 2, 1, $5, $6, 'bench', now() FROM session WHERE $4 < $3 * 2
     )
     SELECT id FROM session`,
    [agentId, sessions, turns, shown, TEXT, TOKENS],
  );
  await database.query('VACUUM ANALYZE chat_session, chat_message, session_summary');
  return rows.map(({ id }) => id);
}
