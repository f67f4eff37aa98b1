import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What every accept, claim and end asks the database reads a few entries of one index, whatever the planner knew of the
 * tables when it made the plan that is kept; and the renewal of a lease changes no index at all. The functions answer what
 * they answered before: releases before this one go on using them, and so does who takes this one back.
 */
export class KeepPlansToTheirIndexes1764000000031 implements MigrationInterface {
  readonly name = 'KeepPlansToTheirIndexes1764000000031';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "execution" RESET (fillfactor)`);
    await runner.query(
      `CREATE INDEX "execution_lease_idx" ON "execution" ("lease_expires_at") WHERE "status" = 'running'`,
    );
  }
}

const UNSETTLED = `status IN ('queued', 'running', 'requires_action')`;
const UNSENT = `status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL`;

// `OFFSET 0`: each look stays one of its own, of one tenant. Without it a plan from when nothing waited reads all that
// waits, once, to look into that.
const UNSENT_TENANTS = `
  CREATE OR REPLACE FUNCTION unsent_tenants() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH RECURSIVE waiting AS (
      (SELECT tenant_id FROM execution WHERE ${UNSENT} ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT tenant_id FROM execution WHERE ${UNSENT} AND tenant_id > before.tenant_id ORDER BY tenant_id LIMIT 1)
        FROM waiting before WHERE before.tenant_id IS NOT NULL
    )
    SELECT tenant_id FROM waiting
     WHERE tenant_id IS NOT NULL
       AND (EXISTS (SELECT 1 FROM execution e WHERE ${UNSENT} AND e.tenant_id = waiting.tenant_id AND due_at IS NULL OFFSET 0)
            OR EXISTS (SELECT 1 FROM execution e WHERE ${UNSENT} AND e.tenant_id = waiting.tenant_id AND due_at <= now() OFFSET 0)) $$`;

/**
 * Null: as many as it likes, since no other tenant waits that holds less than its share. Where one does, those who ask for
 * the same tenant do so one after the other, so that each counts what the others got; in one order, so that two that ask
 * for several never wait for each other. Two deprived tenants say as much as all of them. What was sent is read by that
 * alone, and judged then.
 */
const PLACES_LEFT = `
  CREATE OR REPLACE FUNCTION places_left(asking text[], share float8) RETURNS TABLE (tenant text, places int)
  LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      most int := places_of_a_tenant(share);
      deprived text[] := '{}';
    BEGIN
      IF most IS NOT NULL THEN
        deprived := ARRAY(
          WITH waiting AS (
            SELECT tenant_id
              FROM (SELECT tenant_id, status, head_since, due_at FROM execution WHERE dispatched_at IS NOT NULL OFFSET 0) sent
             WHERE status = 'queued' AND head_since IS NOT NULL AND (due_at IS NULL OR due_at <= now())
            UNION
            SELECT unsent FROM unsent_tenants() AS unsent
          )
          SELECT tenant_id FROM waiting
           WHERE (cardinality(asking) > 1 OR tenant_id <> asking[1])
             AND (SELECT count(*) FROM execution held WHERE held.status = 'running' AND held.tenant_id = waiting.tenant_id) < most
           LIMIT 2);
      END IF;
      FOR tenant IN SELECT name FROM (SELECT DISTINCT unnest(asking) AS name) asker ORDER BY hashtext(name), name LOOP
        places := NULL;
        IF cardinality(deprived) > 1 OR deprived[1] <> tenant THEN
          PERFORM pg_advisory_xact_lock(4711003, hashtext(tenant));
          places := most - (SELECT count(*) FROM execution WHERE status = 'running' AND tenant_id = tenant);
        END IF;
        RETURN NEXT;
      END LOOP;
    END $$`;

/**
 * For each asking tenant how many of the executions that it is about to have accepted may count as sent at once: `jobs` of
 * the tenant, and `of_all` of all of them. No row: none. None where anything waits to be sent, since it is the dispatch that
 * knows whose turn it is. Whoever asks holds a lock until the end of its transaction, so that each counts what the others
 * got; it must be the last thing that the statement waits for.
 *
 * What it reads is bounded, however many tenants there are: of what was sent no more than the queue's target, since beyond
 * that there is no room anyway, and of who is deprived two.
 */
const ROOM_OF_ACCEPTED = `
  CREATE OR REPLACE FUNCTION room_of_accepted(asking text[], queue_target int, queue_share float8, in_flight_cap int, slot_share float8)
  RETURNS TABLE (tenant_id text, jobs int, of_all int) LANGUAGE plpgsql VOLATILE
  SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    #variable_conflict use_column
    DECLARE most int;
    BEGIN
      IF queue_target <= 0 OR cardinality(asking) = 0 THEN RETURN; END IF;
      PERFORM pg_advisory_xact_lock(4711004);
      IF EXISTS (SELECT 1 FROM unsent_tenants()) THEN RETURN; END IF;
      most := places_of_a_tenant(slot_share);
      RETURN QUERY
        WITH sent AS MATERIALIZED (
          SELECT e.tenant_id, (count(*) FILTER (WHERE e.status = 'queued'))::int AS queued, count(*)::int AS of_any_status
            FROM (SELECT tenant_id, status FROM execution WHERE dispatched_at IS NOT NULL LIMIT queue_target) e
           GROUP BY e.tenant_id
        ), room AS MATERIALIZED (
          SELECT queue_target - coalesce(sum(sent.of_any_status), 0)::int AS jobs FROM sent
        ), asker AS MATERIALIZED (
          SELECT DISTINCT tenant FROM unnest(asking) AS tenant
        ), deprived AS MATERIALIZED (
          SELECT waiting.tenant_id
            FROM (SELECT sent.tenant_id FROM sent WHERE sent.queued > 0 UNION SELECT tenant FROM asker) waiting
           WHERE most > (SELECT count(*) FROM (
                   SELECT 1 FROM execution e WHERE e.status = 'running' AND e.tenant_id = waiting.tenant_id LIMIT most) held)
           LIMIT 2
        ), asked AS (
          SELECT asker.tenant, coalesce(sent.queued, 0) AS queued, running.count
            FROM asker LEFT JOIN sent ON sent.tenant_id = asker.tenant
            CROSS JOIN LATERAL (
              SELECT count(*)::int FROM (
                SELECT 1 FROM execution e
                 WHERE e.status = 'running' AND e.tenant_id = asker.tenant LIMIT in_flight_cap) counted
            ) running
        )
        SELECT asked.tenant,
               least(greatest(1, floor(queue_target * queue_share))::int - asked.queued,
                     in_flight_cap - asked.queued - asked.count,
                     CASE WHEN EXISTS (SELECT 1 FROM deprived WHERE deprived.tenant_id <> asked.tenant)
                          THEN most - asked.queued - asked.count END),
               room.jobs
          FROM asked, room;
    END $$`;

// Whoever accepts holds the row of the session, so nobody settles between this look and its commit. Before the first turn
// there is none.
const FIND_HEAD = `
  CREATE OR REPLACE FUNCTION find_head_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.turn_number > 1 THEN
        IF EXISTS (
          SELECT 1 FROM execution earlier
           WHERE earlier.session_id = NEW.session_id AND earlier.turn_number < NEW.turn_number AND earlier.${UNSETTLED})
        THEN RETURN NEW;
        END IF;
      END IF;
      NEW.head_since := now();
      RETURN NEW;
    END $$`;

// Whoever settles holds the row of the session already; this makes sure. Where no turn was accepted after this one there is
// none to wake: the first of those before it is the head of the session anyway.
const WAKE_NEXT = `
  CREATE OR REPLACE FUNCTION wake_next_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE upcoming int;
    BEGIN
      SELECT next_turn INTO upcoming FROM chat_session WHERE id = NEW.session_id FOR NO KEY UPDATE;
      IF upcoming = NEW.turn_number + 1 THEN RETURN NULL; END IF;
      UPDATE execution SET head_since = now()
       WHERE head_since IS NULL AND id = (
         SELECT id FROM execution next WHERE next.session_id = NEW.session_id AND next.${UNSETTLED}
          ORDER BY next.turn_number LIMIT 1);
      RETURN NULL;
    END $$`;

const STATEMENTS = [
  UNSENT_TENANTS,
  PLACES_LEFT,
  ROOM_OF_ACCEPTED,
  FIND_HEAD,
  WAKE_NEXT,
  // When a lease ends is asked of what runs, which has an index of its own: without this one a renewal is HOT.
  `DROP INDEX "execution_lease_idx"`,
  `ALTER TABLE "execution" SET (fillfactor = 70)`,
];
