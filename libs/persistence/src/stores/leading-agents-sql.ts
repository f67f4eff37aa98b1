/**
 * Those of the agents $2 whose steps lead to the agent $3: each step is a row of its own, and where it leads is found by
 * recursion, which only a statement has.
 *
 * A step calls an agent by itself, or for each item of a list. What another release has written may be anything.
 */
export const LEADING_SQL = `
  WITH RECURSIVE reached (origin, id) AS (
    SELECT id, id::numeric FROM agent WHERE tenant_id = $1 AND id = ANY($2::int[])
    UNION
    SELECT reached.origin, (called #>> '{}')::numeric
      FROM reached
      JOIN agent ON agent.id = reached.id AND agent.tenant_id = $1 AND agent.usecase_type = 'CUSTOM'
     CROSS JOIN LATERAL jsonb_array_elements(
       jsonb_path_query_array(agent.config, '$.steps[*].agent ? (@.type() == "number")')
         || jsonb_path_query_array(agent.config, '$.steps[*].do.agent ? (@.type() == "number")')) called
  )
  SELECT DISTINCT origin AS id FROM reached WHERE id = $3`;
