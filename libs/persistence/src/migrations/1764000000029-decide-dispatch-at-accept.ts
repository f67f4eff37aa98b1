import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether an execution may be sent to the queue in the statement that accepts it. What the dispatch holds to, holds here:
 * the queue's target, a tenant's share of it, its cap in flight, and its share of the places while another one is deprived.
 */
export class DecideDispatchAtAccept1764000000029 implements MigrationInterface {
  readonly name = 'DecideDispatchAtAccept1764000000029';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(IS_SESSION_IDLE);
    await runner.query(ROOM_OF_ACCEPTED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION room_of_accepted(text[], int, float8, int, float8)`);
    await runner.query(`DROP FUNCTION is_session_idle(uuid)`);
  }
}

// A function that is not stable sees what was committed while its statement waited for the row of the session.
const IS_SESSION_IDLE = `
  CREATE FUNCTION is_session_idle(asked uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
    BEGIN
      RETURN NOT EXISTS (
        SELECT 1 FROM execution e
         WHERE e.session_id = asked AND e.status IN ('queued', 'running', 'requires_action'));
    END $$`;

/**
 * For each asking tenant how many of the executions that it is about to have accepted may count as sent at once: \`jobs\` of
 * the tenant, and \`of_all\` of all of them. No row: none. None where anything waits to be sent, since it is the dispatch that
 * knows whose turn it is. Whoever asks holds a lock until the end of its transaction, so that each counts what the others
 * got; it must be the last thing that the statement waits for. The planner is kept to indexes, because a plan that is kept
 * from the time when the table was small would read all of it.
 */
const ROOM_OF_ACCEPTED = `
  CREATE FUNCTION room_of_accepted(asking text[], queue_target int, queue_share float8, in_flight_cap int, slot_share float8)
  RETURNS TABLE (tenant_id text, jobs int, of_all int) LANGUAGE plpgsql VOLATILE SET enable_seqscan = off AS $$
    #variable_conflict use_column
    BEGIN
      IF queue_target <= 0 OR cardinality(asking) = 0 THEN RETURN; END IF;
      PERFORM pg_advisory_xact_lock(4711004);
      IF EXISTS (SELECT 1 FROM unsent_tenants()) THEN RETURN; END IF;
      RETURN QUERY
        WITH sent AS MATERIALIZED (
          SELECT e.tenant_id, (count(*) FILTER (WHERE e.status = 'queued'))::int AS queued, count(*)::int AS of_any_status
            FROM execution e WHERE e.dispatched_at IS NOT NULL GROUP BY e.tenant_id
        ), room AS MATERIALIZED (
          SELECT queue_target - coalesce(sum(sent.of_any_status), 0)::int AS jobs FROM sent
        ), waiting AS MATERIALIZED (
          SELECT sent.tenant_id FROM sent WHERE sent.queued > 0
          UNION SELECT DISTINCT tenant FROM unnest(asking) AS tenant
        ), held AS MATERIALIZED (
          SELECT waiting.tenant_id, running.count
            FROM waiting CROSS JOIN LATERAL (
              SELECT count(*)::int FROM (
                SELECT 1 FROM execution e
                 WHERE e.status = 'running' AND e.tenant_id = waiting.tenant_id LIMIT in_flight_cap) counted
            ) running
        ), places AS MATERIALIZED (
          SELECT places_of_a_tenant(slot_share) AS most
        ), asked AS (
          SELECT held.tenant_id,
                 greatest(1, floor(queue_target * queue_share))::int - coalesce(sent.queued, 0) AS of_queue,
                 in_flight_cap - coalesce(sent.queued, 0) - held.count AS of_cap,
                 CASE WHEN EXISTS (SELECT 1 FROM held other, places
                                    WHERE other.tenant_id <> held.tenant_id AND other.count < places.most)
                      THEN (SELECT most FROM places) - coalesce(sent.queued, 0) - held.count
                 END AS of_places
            FROM held LEFT JOIN sent ON sent.tenant_id = held.tenant_id
           WHERE held.tenant_id = ANY(asking)
        )
        SELECT asked.tenant_id, least(asked.of_queue, asked.of_cap, asked.of_places), room.jobs FROM asked, room;
    END $$`;
