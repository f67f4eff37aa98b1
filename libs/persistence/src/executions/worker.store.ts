import type { DataSource } from 'typeorm';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import type { ShownHost } from '../entities/worker.entity.js';
import { queryRows } from '../sql.js';
import { IS_MISSING, LOCK_CLASS } from './worker-presence.js';

export interface WorkerView {
  readonly id: string;
  readonly release: string | null;
  readonly roles: readonly string[];
  readonly slots: number;
  readonly slots_in_use: number;
  readonly is_present: boolean;
  readonly last_seen_at: string | null;
  readonly started_at: string;
  readonly draining_since: string | null;
  /** Model hosts that do not answer it. */
  readonly model_hosts: readonly ShownHost[];
}

/** Shows the worker processes of the installation. */
export class WorkerStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * By id. Reads the workers, their locks, and the executions that run, by an index of these alone: none of it grows with
   * what has been done.
   */
  async list({
    afterId = null,
    limit,
  }: {
    readonly afterId?: string | null;
    readonly limit: number;
  }): Promise<RowsOfPage<WorkerView>> {
    const page = await readPage<WorkerRow>(this.dataSource, {
      select: `SELECT worker.id, release, roles, places AS slots, coalesce(held.count, 0) AS slots_in_use,
                      NOT (${IS_MISSING}) AS is_present, now() AS read_at, started_at, draining_since,
                      model_hosts
                 FROM worker
                 LEFT JOIN (SELECT lease_owner, count(*)::int AS count FROM execution
                             WHERE status = 'running' AND lease_expires_at > now() GROUP BY lease_owner) held
                   ON held.lease_owner = worker.id
                WHERE ($2::text IS NULL OR worker.id > $2)`,
      parameters: [LOCK_CLASS, afterId],
      orderBy: 'id',
      limit,
    });
    return mapRows(page, toView);
  }

  /** Up to `limit` workers that take executions directly, those of `known` first, the others at random. */
  async findAddresses(known: readonly string[], limit: number): Promise<readonly WorkerAddress[]> {
    return queryRows<WorkerAddress>(
      this.dataSource,
      `SELECT id, address FROM worker WHERE address IS NOT NULL AND draining_since IS NULL AND places > 0
        ORDER BY id = ANY($1::text[]) DESC, random() LIMIT $2`,
      [known, limit],
    );
  }
}

/** Address of a worker that takes executions directly. */
export interface WorkerAddress {
  readonly id: string;
  readonly address: string;
}

interface WorkerRow extends Omit<WorkerView, 'last_seen_at' | 'started_at' | 'draining_since'> {
  readonly read_at: Date;
  readonly started_at: Date;
  readonly draining_since: Date | null;
}

function toView({ read_at, started_at, draining_since, ...row }: WorkerRow): WorkerView {
  return {
    ...row,
    last_seen_at: row.is_present ? read_at.toISOString() : null,
    started_at: started_at.toISOString(),
    draining_since: draining_since?.toISOString() ?? null,
  };
}
