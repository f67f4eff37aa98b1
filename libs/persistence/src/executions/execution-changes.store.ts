import type { DataSource } from 'typeorm';
import type { ExecutionStatus } from '#libs/payloads';
import { PLANNED_ANEW } from '../plan-settings.js';
import { queryRows } from '../sql.js';

/** How an execution stands, as a list shows it. */
export interface ExecutionStanding {
  readonly id: string;
  readonly agent_id: number;
  readonly session_uuid: string;
  readonly status: ExecutionStatus;
  readonly attempt: number;
  readonly error_code: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export interface ExecutionChanges {
  /** Time of the reading, by the clock of the database, in milliseconds since 1970. */
  readonly at: number;
  readonly rows: readonly ExecutionStanding[];
  /** Whether there were more changes than one reading holds. */
  readonly isCutOff: boolean;
}

/** Made, settled, running and waiting executions that one reading holds, of each. */
const MAX_OF_A_KIND = 1_000;
/** Transactions may take so long, in ms: what carries an earlier time may have become visible only now. */
const OVERLAP_MS = 10_000;

/** Finds what has changed of the executions of a tenant without a record of changes. */
export class ExecutionChangesStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Executions made or settled since `since` or shortly before, and all that run or wait for a person. Each part is a range
   * of an index, so it costs what it answers.
   *
   * @param since ms since 1970; null: what was made or settled is left out
   */
  async readSince(tenantId: string, since: number | null): Promise<ExecutionChanges> {
    const from = since === null ? null : Math.max(0, since - OVERLAP_MS);
    const [row] = await queryRows<{ at: Date; rows: ExecutionStanding[]; is_cut_off: boolean }>(
      this.dataSource,
      CHANGES_SQL,
      [tenantId, from === null ? null : new Date(from).toISOString(), from === null ? null : firstIdAt(from)],
    );
    if (row === undefined) throw new Error('a sum without groups is one row');
    return { at: row.at.getTime(), rows: row.rows.map(withTimes), isCutOff: row.is_cut_off };
  }

  /** How these stand now; those that are gone are left out. */
  async readOf(tenantId: string, ids: readonly string[]): Promise<readonly ExecutionStanding[]> {
    const [row] = await queryRows<{ rows: ExecutionStanding[] }>(
      this.dataSource,
      `SELECT coalesce(jsonb_agg(found), '[]') AS rows
         FROM (${STANDING} WHERE e.tenant_id = $1 AND e.id = ANY($2::uuid[])) found`,
      [tenantId, ids],
    );
    return (row?.rows ?? []).map(withTimes);
  }
}

/** The lowest id (UUID v7) of this millisecond. */
function firstIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

function withTimes(row: ExecutionStanding): ExecutionStanding {
  const iso = (time: string): string => new Date(time).toISOString();
  return {
    ...row,
    created_at: iso(row.created_at),
    started_at: row.started_at === null ? null : iso(row.started_at),
    finished_at: row.finished_at === null ? null : iso(row.finished_at),
  };
}

const STANDING = `
  SELECT e.id, e.agent_id, e.session_id AS session_uuid, e.status, e.attempt, e.error ->> 'code' AS error_code, e.created_at,
         e.started_at, e.finished_at
    FROM execution e`;

const part = (condition: string, order: string): string =>
  `(${STANDING} WHERE e.tenant_id = $1 AND ${condition} ORDER BY ${order} LIMIT ${MAX_OF_A_KIND + 1})`;

/** Parameters: tenant, the time, and the lowest id of that time. */
export const CHANGES_SQL = `${PLANNED_ANEW}
  WITH made AS MATERIALIZED ${part('e.id >= $3::uuid', 'e.id')},
  settled AS MATERIALIZED ${part('e.finished_at >= $2::timestamptz', 'e.finished_at')},
  found AS (
    SELECT * FROM made UNION SELECT * FROM settled
    UNION ${part(`e.status = 'running'`, 'e.id DESC')}
    UNION ${part(`e.status = 'requires_action'`, 'e.id DESC')}
  )
  SELECT now() AS at, coalesce((SELECT jsonb_agg(found ORDER BY found.id) FROM found), '[]') AS rows,
         (SELECT count(*) FROM made) > ${MAX_OF_A_KIND} OR (SELECT count(*) FROM settled) > ${MAX_OF_A_KIND} AS is_cut_off`;
