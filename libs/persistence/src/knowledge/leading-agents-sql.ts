/**
 * Selects those of the agents $2 with steps that lead to the agent $3, over any number of agents between. SQL, since the
 * query builder has no recursion.
 *
 * A step calls an agent once, or once for each item of a list. Other JSON in its place, as other releases may have
 * stored, is skipped.
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
