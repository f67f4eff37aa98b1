/**
 * Parameters of an execution, in the order of precedence: request, agent, model. A value that is not a number counts as
 * not given.
 *
 * @param e the table that names the execution
 * @param columns SQL by names: {@link ownSecondsSql}, or expressions over `version` and `llm`
 */
export function ownParametersSql(e: string, columns: string): string {
  return `(
  SELECT ${columns}
    FROM agent
    JOIN agent_version version ON version.agent_id = agent.id AND version.version = coalesce(${e}.agent_version, agent.version)
    JOIN llm ON llm.id = version.llm_id
   WHERE agent.id = ${e}.agent_id)`;
}

/** The parameter in milliseconds, null if it is not given; inside of {@link ownParametersSql}. */
export function ownSecondsSql(e: string, name: string): string {
  const places = [
    `${e}.request #> '{options,${name}}'`,
    `version.config -> '${name}'`,
    `llm.extra -> '${name}'`,
  ];
  const numbers = places.map(
    (given) => `CASE jsonb_typeof(${given}) WHEN 'number' THEN (${given})::float8 END`,
  );
  return `coalesce(${numbers.join(', ')}) * 1000`;
}

/** Whether its tools are to be fetched from tool servers; inside of {@link ownParametersSql}. */
export const HAS_SERVERS_SQL = `CASE WHEN version.tools -> 'servers' IS NULL
         THEN EXISTS (SELECT 1 FROM tenant WHERE tenant.id = agent.tenant_id AND tenant.settings ->> 'tool_servers' = 'all')
         ELSE coalesce(jsonb_typeof(version.tools -> 'servers') = 'array'
                       AND jsonb_array_length(version.tools -> 'servers') > 0, false) END`;
