-- Fair shares of execution slots among tenants. A tenant may hold more than its share only while no other tenant waits
-- with less.
-- This file is the current text; test/integration/migrate/schema-text.spec.ts compares it with the database. To change
-- it, edit it and add a migration that runs it.

-- Tenants with an execution that is due and not sent to the queue, in their order: first those after `after`, then those
-- from the beginning up to it. A caller that takes the first few reads no more than those. OFFSET 0 keeps each look-up one
-- of its own, of one tenant: without it a plan that was made for an empty table would read everything that waits.
CREATE OR REPLACE FUNCTION unsent_tenants_after(after text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH RECURSIVE waiting AS (
      SELECT (SELECT tenant_id FROM execution
               WHERE status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL
                 AND tenant_id > after ORDER BY tenant_id LIMIT 1) AS tenant_id, false AS is_again
      UNION ALL
      SELECT (SELECT tenant_id FROM execution
               WHERE status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL
                 AND tenant_id > coalesce(before.tenant_id, '') ORDER BY tenant_id LIMIT 1),
             before.is_again OR before.tenant_id IS NULL
        FROM waiting before
       WHERE NOT before.is_again OR before.tenant_id <= after
    )
    SELECT tenant_id FROM waiting
     WHERE tenant_id IS NOT NULL AND (NOT is_again OR tenant_id <= after)
       AND (EXISTS (SELECT 1 FROM execution e
                     WHERE status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL
                       AND e.tenant_id = waiting.tenant_id AND due_at IS NULL OFFSET 0)
            OR EXISTS (SELECT 1 FROM execution e
                        WHERE status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL
                          AND e.tenant_id = waiting.tenant_id AND due_at <= now() OFFSET 0)) $$;

-- All of these tenants.
CREATE OR REPLACE FUNCTION unsent_tenants() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT tenant_id FROM unsent_tenants_after('') AS tenant_id $$;

-- Tenants with an execution in line, sent or not, due or not, in the same order.
CREATE OR REPLACE FUNCTION tenants_in_line(after text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH RECURSIVE waiting AS (
      SELECT (SELECT tenant_id FROM execution
               WHERE status = 'queued' AND tenant_id > after ORDER BY tenant_id LIMIT 1) AS tenant_id, false AS is_again
      UNION ALL
      SELECT (SELECT tenant_id FROM execution
               WHERE status = 'queued' AND tenant_id > coalesce(before.tenant_id, '') ORDER BY tenant_id LIMIT 1),
             before.is_again OR before.tenant_id IS NULL
        FROM waiting before
       WHERE NOT before.is_again OR before.tenant_id <= after
    )
    SELECT tenant_id FROM waiting WHERE tenant_id IS NOT NULL AND (NOT is_again OR tenant_id <= after) $$;

-- The share of one tenant, in slots: `share` (0 to 1) of all slots, at least 1. Null while no worker has reported its
-- slots.
CREATE OR REPLACE FUNCTION places_of_a_tenant(share float8) RETURNS int LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN sum(places) > 0 THEN greatest(1, floor(sum(places) * share))::int END FROM worker $$;

-- For each asking tenant the slots it may still take; null for no limit, where no other tenant is below its share.
-- Claims of the same tenant wait for each other, so that each counts the slots the others got; locks are taken in one
-- order, so two claims for several tenants never deadlock. Two deprived tenants are enough to know: each asking tenant
-- then has another one that is deprived. Of what a tenant runs, as many executions are read as the share has slots; what
-- is in line is read only if a tenant holds less. Executions that were sent are read by `dispatched_at` alone and filtered
-- afterwards, which keeps the plan on that index.
CREATE OR REPLACE FUNCTION places_left(asking text[], share float8) RETURNS TABLE(tenant text, places int)
  LANGUAGE plpgsql AS $$
    DECLARE
      most int := places_of_a_tenant(share);
      deprived text[] := '{}';
    BEGIN
      IF most IS NOT NULL THEN
        deprived := ARRAY(
          SELECT waiting.tenant_id FROM tenants_in_line('') AS waiting (tenant_id)
           WHERE (cardinality(asking) > 1 OR waiting.tenant_id <> asking[1])
             AND (SELECT count(*) FROM (
                   SELECT 1 FROM execution e
                    WHERE e.status = 'running' AND e.tenant_id = waiting.tenant_id LIMIT most) held) < most
             AND (EXISTS (SELECT 1 FROM execution e
                           WHERE status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL
                             AND e.tenant_id = waiting.tenant_id AND due_at IS NULL OFFSET 0)
                  OR EXISTS (SELECT 1 FROM execution e
                              WHERE status = 'queued' AND head_since IS NOT NULL AND dispatched_at IS NULL
                                AND e.tenant_id = waiting.tenant_id AND due_at <= now() OFFSET 0)
                  OR waiting.tenant_id IN (
                    SELECT sent.tenant_id
                      FROM (SELECT tenant_id, status, head_since, due_at
                              FROM execution WHERE dispatched_at IS NOT NULL OFFSET 0) sent
                     WHERE status = 'queued' AND head_since IS NOT NULL AND (due_at IS NULL OR due_at <= now())))
           LIMIT 2);
      END IF;
      FOR tenant IN SELECT name FROM (SELECT DISTINCT unnest(asking) AS name) asker ORDER BY hashtext(name), name LOOP
        places := NULL;
        IF cardinality(deprived) > 1 OR deprived[1] <> tenant THEN
          PERFORM pg_advisory_xact_lock(4711003, hashtext(tenant));
          places := most - (SELECT count(*) FROM (
            SELECT 1 FROM execution e WHERE e.status = 'running' AND e.tenant_id = tenant LIMIT most) held);
        END IF;
        RETURN NEXT;
      END LOOP;
    END $$;
