import { claimSql, isFreeSql, IS_UNHELD } from '../executions/leased-row-sql.js';
import { executorHashSql, FACT_OBJECT } from './memory-rows.js';
import { LLM_OBJECT } from '../executions/stored-context.js';

/** Executions of one executor are processed in the order in which they ended. */
const isFirstSql = (x: string): string => `NOT EXISTS (
  SELECT 1 FROM memory_extraction earlier
   WHERE earlier.tenant_id = ${x}.tenant_id AND earlier.executor_id = ${x}.executor_id AND earlier.ended_at IS NULL
     AND (earlier.created_at, earlier.execution_id) < (${x}.created_at, ${x}.execution_id))`;

const IS_FREE = isFreeSql('$3');

/** $1 maximum jobs at a time, $2 maximum of one tenant, $3 milliseconds after which a job counts as lost. */
export const TAKE_EXTRACTIONS_SQL = `
  WITH busy AS (
    SELECT x.tenant_id, count(*) AS held FROM memory_extraction x
     WHERE x.ended_at IS NULL AND NOT (${IS_FREE}) GROUP BY x.tenant_id
  ), due AS (
    SELECT x.execution_id, x.due_at,
           coalesce(busy.held, 0) + row_number() OVER (PARTITION BY x.tenant_id ORDER BY x.due_at, x.execution_id) AS place
      FROM memory_extraction x LEFT JOIN busy USING (tenant_id)
     WHERE x.ended_at IS NULL AND x.due_at <= now() AND ${IS_FREE} AND ${isFirstSql('x')}
  ), chosen AS (
    SELECT execution_id FROM due WHERE place <= $2::int ORDER BY place, due_at
     LIMIT greatest(0, $1::int - (SELECT coalesce(sum(held), 0) FROM busy))
  ), locked AS (
    SELECT x.execution_id FROM memory_extraction x
     WHERE x.execution_id IN (SELECT execution_id FROM chosen) AND x.ended_at IS NULL AND ${IS_FREE} FOR UPDATE SKIP LOCKED
  )
  UPDATE memory_extraction SET dispatched_at = now() FROM locked
   WHERE memory_extraction.execution_id = locked.execution_id
  RETURNING memory_extraction.execution_id`;

/** Null for a value that is no id: older releases stored any value under this key. */
const CHOSEN_LLM = `CASE WHEN jsonb_typeof(pinned.config #> '{memory,llm}') = 'number'
  AND (pinned.config #> '{memory,llm}')::numeric BETWEEN 1 AND 2147483647 THEN (pinned.config #> '{memory,llm}')::int END`;

/** A try that was begun counts, however it ended; the next one may begin when its lease has ended. */
export const CLAIM_EXTRACTION_SQL = `
  WITH claimed AS (
    UPDATE memory_extraction x
       SET ${claimSql('$2', '$3')}
     WHERE x.execution_id = $1 AND x.ended_at IS NULL AND x.due_at <= now()
       AND ${IS_UNHELD} AND ${isFirstSql('x')}
    RETURNING x.*
  )
  SELECT claimed.execution_id AS "executionId", claimed.claim_token AS token, claimed.tenant_id AS "tenantId",
         claimed.executor_id AS "executorId", claimed.agent_id AS "agentId", claimed.tries AS "tryNumber",
         claimed.recorded_try AS "recordedTry", claimed.is_foreign AS "isForeign", execution.request ->> 'input' AS input,
         coalesce(pinned.config, '{}'::jsonb) AS config,
         coalesce((SELECT jsonb_agg(${FACT_OBJECT} ORDER BY updated_at, id)
                     FROM memory WHERE memory.tenant_id = claimed.tenant_id AND memory.executor_id = claimed.executor_id),
                  '[]'::jsonb) AS facts,
         tenant.status = 'active' AND NOT EXISTS (
           SELECT 1 FROM forgotten_executor forgotten
            WHERE forgotten.tenant_id = claimed.tenant_id AND forgotten.executor_hash = ${executorHashSql('claimed')}
              AND forgotten.forgotten_at >= execution.created_at) AS "isWanted",
         CASE WHEN llm.id IS NOT NULL THEN ${LLM_OBJECT} END AS llm
    FROM claimed
    JOIN execution ON execution.id = claimed.execution_id
    JOIN tenant ON tenant.id = claimed.tenant_id
    LEFT JOIN agent ON agent.id = claimed.agent_id
    LEFT JOIN agent_version pinned
      ON pinned.agent_id = agent.id AND pinned.version = coalesce(execution.agent_version, agent.version)
    LEFT JOIN llm ON llm.id = coalesce(${CHOSEN_LLM}, pinned.llm_id) AND llm.tenant_id = claimed.tenant_id`;

/** Orders an extraction for each completed execution in `of` that names an executor. */
export const orderExtractionsSql = (of: string): string => `
  INSERT INTO memory_extraction (execution_id, tenant_id, executor_id, agent_id, is_foreign)
  SELECT ${of}.id, ${of}.tenant_id, ${of}.executor_id, ${of}.agent_id, ${of}.has_foreign
    FROM ${of}
    JOIN execution ON execution.id = ${of}.id
    JOIN agent ON agent.id = ${of}.agent_id
    JOIN agent_version pinned
      ON pinned.agent_id = agent.id AND pinned.version = coalesce(execution.agent_version, agent.version)
   WHERE ${of}.ending = 'completed' AND ${of}.executor_id IS NOT NULL
     AND pinned.config #> '{memory,enabled}' = 'true'::jsonb
  ON CONFLICT (execution_id) DO NOTHING RETURNING execution_id`;

/** True where an extraction has been due and unclaimed for $1 milliseconds. */
export const OVERDUE_EXTRACTION_SQL = `
  SELECT 1 FROM memory_extraction x
   WHERE x.ended_at IS NULL AND x.due_at < now() - $1 * interval '1 millisecond'
     AND coalesce(x.lease_expires_at, x.due_at) < now() - $1 * interval '1 millisecond' AND ${isFirstSql('x')} LIMIT 1`;
