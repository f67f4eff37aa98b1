-- Room in queues: limits on executions that wait, and on those that are sent to the queue as they are accepted.
-- This file is the current text; test/integration/migrate/schema-text.spec.ts compares it with the database. To change
-- it, edit it and add a migration that runs it.

-- How many more executions may wait: `of_tenant` for each asking tenant, `of_all` over all tenants; null where no limit
-- is given. Locks are held until the end of the transaction, so that each caller counts the places the others got:
-- first the lock of all, then those of tenants in one order, so two callers never deadlock. VOLATILE, so that it sees
-- what was committed while it waited for a lock. It reads at most as many rows as the limits.
CREATE OR REPLACE FUNCTION room_in_queues(asking text[], most_of_tenants int[], most_of_all int)
  RETURNS TABLE(tenant_id text, of_tenant int, of_all int)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    #variable_conflict use_column
    DECLARE asked record;
    BEGIN
      IF most_of_all IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(4711005);
        of_all := most_of_all - (
          SELECT count(*) FROM (SELECT 1 FROM execution e WHERE e.status = 'queued' LIMIT most_of_all) waiting);
      END IF;
      FOR asked IN
        SELECT given.name, min(given.most) AS most FROM unnest(asking, most_of_tenants) AS given (name, most)
         GROUP BY given.name ORDER BY hashtext(given.name), given.name
      LOOP
        tenant_id := asked.name;
        of_tenant := NULL;
        IF asked.most IS NOT NULL THEN
          PERFORM pg_advisory_xact_lock(4711006, hashtext(asked.name));
          of_tenant := asked.most - (
            SELECT count(*) FROM (
              SELECT 1 FROM execution e WHERE e.status = 'queued' AND e.tenant_id = asked.name LIMIT asked.most) waiting);
        END IF;
        RETURN NEXT;
      END LOOP;
    END $$;

-- For each asking tenant the number of newly accepted executions that may count as sent at once: `jobs` of the tenant,
-- `of_all` over all. No row means none: where executions wait to be sent, the dispatcher decides whose turn it is.
-- Callers hold a lock until the end of their transaction, so that each counts the places the others got; it has to be
-- the last lock that a statement waits for. It reads at most `queue_target` sent rows, since beyond that there is no
-- room, and two deprived tenants. Sequential and bitmap scans are off: a plan that was made for a small table would
-- read all of it.
CREATE OR REPLACE FUNCTION room_of_accepted(
  asking text[], queue_target int, queue_share float8, in_flight_cap int, slot_share float8)
  RETURNS TABLE(tenant_id text, jobs int, of_all int)
  LANGUAGE plpgsql SET enable_seqscan = off SET enable_bitmapscan = off AS $$
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
    END $$;
