import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { isDueSql } from './due-execution.js';

/** One kind of work in one state, over all tenants. */
export interface WorkLineView {
  readonly kind: 'execution' | 'webhook' | 'title' | 'memory' | 'summary' | 'document';
  readonly state: 'due' | 'later' | 'running' | 'requires_action' | 'pending';
  readonly depth: number;
  /** Age of the oldest entry in this state, in seconds; for webhooks since the reported event. 0 without entries. */
  readonly oldestSeconds: number;
}

export interface WorkOverview {
  readonly lines: readonly WorkLineView[];
  readonly suspects: number;
  readonly workers: number;
  readonly places: number;
}

/**
 * Amount of pending work. The cost grows with the backlog: each part reads a whole partial index of unfinished work. It
 * must not run for every request.
 * @param suspectAfterLosses consecutive lost attempts that make a suspect
 */
export async function readWorkOverview(
  manager: Pick<DataSource, 'query'>,
  suspectAfterLosses: number,
): Promise<WorkOverview> {
  const [row] = await queryRows<WorkOverview>(manager, OVERVIEW_SQL, [suspectAfterLosses]);
  if (!row) throw new Error('the overview has one row');
  return row;
}

const AGE = (since: string): string => `coalesce(extract(epoch FROM now() - min(${since})), 0)::float8`;

/** `due`: could run now; `later`: postponed, or behind another of its session. */
const OVERVIEW_SQL = `
  WITH under_way AS (
    SELECT CASE WHEN status <> 'queued' THEN status
                WHEN head_since IS NOT NULL AND ${isDueSql('e')} THEN 'due' ELSE 'later' END AS state,
           CASE status WHEN 'running' THEN started_at WHEN 'queued' THEN greatest(created_at, head_since, due_at)
                ELSE created_at END AS since,
           lost_attempts
      FROM execution e WHERE status IN ('queued', 'running', 'requires_action')
  ), delivery AS (
    SELECT created_at FROM webhook_delivery WHERE status = 'pending'
  ), title AS (
    SELECT created_at FROM session_title WHERE title IS NULL
  ), memory AS (
    SELECT created_at FROM memory_extraction WHERE ended_at IS NULL
  ), summary AS (
    SELECT created_at FROM session_summary_order
  ), document_line AS (
    SELECT CASE WHEN lease_expires_at >= now() THEN 'running' WHEN due_at <= now() THEN 'due' ELSE 'later' END AS state,
           CASE WHEN lease_expires_at >= now() THEN created_at ELSE greatest(due_at, lease_expires_at) END AS since
      FROM document_ingestion WHERE finished_at IS NULL
  ), line AS (
    SELECT 'execution' AS kind, states.state, count(under_way.state)::int AS depth, ${AGE('since')} AS oldest
      FROM unnest(ARRAY['due', 'later', 'running', 'requires_action']) AS states (state)
      LEFT JOIN under_way ON under_way.state = states.state GROUP BY states.state
    UNION ALL SELECT 'webhook', 'pending', count(*)::int, ${AGE('created_at')} FROM delivery
    UNION ALL SELECT 'title', 'pending', count(*)::int, ${AGE('created_at')} FROM title
    UNION ALL SELECT 'memory', 'pending', count(*)::int, ${AGE('created_at')} FROM memory
    UNION ALL SELECT 'summary', 'pending', count(*)::int, ${AGE('created_at')} FROM summary
    UNION ALL SELECT 'document', states.state, count(document_line.state)::int, ${AGE('since')}
      FROM unnest(ARRAY['due', 'later', 'running']) AS states (state)
      LEFT JOIN document_line ON document_line.state = states.state GROUP BY states.state
  )
  SELECT (SELECT jsonb_agg(jsonb_build_object('kind', kind, 'state', state, 'depth', depth, 'oldestSeconds', greatest(oldest, 0)))
            FROM line) AS lines,
         (SELECT count(*)::int FROM under_way WHERE lost_attempts >= $1) AS suspects,
         (SELECT count(*)::int FROM worker) AS workers,
         (SELECT coalesce(sum(places), 0)::int FROM worker) AS places`;
