/** Agents that a tool calls, and those of a pipeline's steps. */
const CALLED_BY_TOOLS = '$.agents.**.agent ? (@.type() == "number")';
const CALLED_BY_STEPS = '$.**.agent ? (@.type() == "number")';
const MAX_ID = 2_147_483_647;

const VERSION = `version.version = coalesce(called.version, agent.version)`;

/**
 * Whether a run of the execution may need an engine: a model configuration of one of the providers belongs to its agent, or
 * to one that this agent calls, directly or through others. Called agents count as they are now; fallbacks need no engine.
 *
 * @param e the table that names the execution
 * @param providers SQL expression of the providers with an engine
 */
export const needsEngineSql = (e: string, providers: string): string => `EXISTS (
  WITH RECURSIVE called (id, version) AS (
    SELECT ${e}.agent_id, ${e}.agent_version
     UNION
    SELECT callee.id, NULL::int
      FROM called
      JOIN agent ON agent.id = called.id
      JOIN agent_version version ON version.agent_id = agent.id AND ${VERSION}
     CROSS JOIN LATERAL (
       SELECT jsonb_path_query(version.tools, '${CALLED_BY_TOOLS}')::numeric
        UNION ALL
       SELECT jsonb_path_query(version.config, '${CALLED_BY_STEPS}')::numeric
     ) named (id)
      JOIN agent callee ON callee.id = CASE WHEN named.id BETWEEN 1 AND ${MAX_ID} THEN named.id::int END
                       AND callee.tenant_id = agent.tenant_id
  )
  SELECT 1
    FROM called
    JOIN agent ON agent.id = called.id
    JOIN agent_version version ON version.agent_id = agent.id AND ${VERSION}
    JOIN llm ON llm.id = version.llm_id AND llm.provider = ANY(${providers}))`;

/**
 * Time at which an execution that a worker leaves to others is due again: 0.5 to 15 s, by the time for which it could have
 * run, until its deadline. It could run since earlier turns were settled, and since its last fact, such as a decision.
 */
export const leftUntilSql = (e: string): string =>
  `least(now() + least(interval '15 seconds', greatest(interval '500 milliseconds', (now() - ${runnableSinceSql(e)}) / 8)),
         ${e}.deadline_at)`;

const runnableSinceSql = (e: string): string =>
  `greatest(${e}.created_at, ${e}.head_since, (
    SELECT fact.created_at FROM journal_entry fact WHERE fact.execution_id = ${e}.id ORDER BY fact.sequence DESC LIMIT 1))`;
