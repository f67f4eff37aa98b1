import {
  MemoryStore,
  toMemoryText,
  type MemoryChange,
  type MemoryCreation,
  type MemoryFilter,
  type MemoryView,
  type VersionedMemory,
} from '#libs/executions';
import { MAX_MEMORIES } from '#libs/policy';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import {
  acceptFact,
  executorHashOf,
  keyHashOf,
  lockExecutor,
  MEMORY_COLUMNS,
  rejectFact,
  type MemoryRow,
} from './memory-rows.js';
import type { ExpectedVersions } from '../rows/versioned.js';
import { toVersioned, withIsoTimes } from '../rows/versioned-rows.js';

/** What is remembered of executors, in PostgreSQL. */
export class PostgresMemories extends MemoryStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async list(tenantId: string, filter: MemoryFilter): Promise<RowsOfPage<MemoryView>> {
    const { select, parameters } = listMemoriesQuery(tenantId, filter);
    const rows = await readPage<MemoryRow>(this.dataSource, {
      ...{ select, parameters, orderBy: 'id', limit: filter.limit },
    });
    return mapRows(rows, ({ version: _version, ...row }) => withIsoTimes(row));
  }

  override async find(tenantId: string, id: number): Promise<VersionedMemory | null> {
    const row = await findRow(this.dataSource.manager, tenantId, id);
    return row ? toVersioned<MemoryView>(row) : null;
  }

  override create(tenantId: string, executorId: string, given: string): Promise<MemoryCreation> {
    const text = toMemoryText(given);
    return this.dataSource.transaction(async (manager) => {
      await lockExecutor(manager, tenantId, executorId);
      if (await isThere(manager, tenantId, executorId, text)) return { kind: 'exists' };
      const [counted] = await queryRows<{ count: number }>(
        manager,
        `SELECT count(*)::int AS count FROM memory WHERE tenant_id = $1 AND executor_id = $2`,
        [tenantId, executorId],
      );
      if ((counted?.count ?? 0) >= MAX_MEMORIES) return { kind: 'too_many' };
      await acceptFact(manager, { tenantId, executorId, text });
      const [row] = await queryRows<MemoryRow>(
        manager,
        `INSERT INTO memory (tenant_id, executor_id, text, key_hash, origin) VALUES ($1, $2, $3, $4, 'person')
         RETURNING ${MEMORY_COLUMNS}`,
        [tenantId, executorId, text, keyHashOf(text)],
      );
      return { kind: 'created', ...toVersioned<MemoryView>(required(row)) };
    });
  }

  override change(
    tenantId: string,
    id: number,
    given: string,
    expected: ExpectedVersions,
  ): Promise<MemoryChange> {
    const text = toMemoryText(given);
    return this.withFact(tenantId, id, expected, async (manager, found): Promise<MemoryChange> => {
      const { executor_id: executorId } = found;
      if (await isThere(manager, tenantId, executorId, text, id)) return { kind: 'exists' };
      await rejectFact(manager, { tenantId, executorId, text: found.text });
      await acceptFact(manager, { tenantId, executorId, text });
      const [row] = await queryRows<MemoryRow>(
        manager,
        `UPDATE memory SET text = $3, key_hash = $4, is_edited = origin = 'extraction', is_foreign = false,
                version = version + 1, updated_at = now()
          WHERE tenant_id = $1 AND id = $2 RETURNING ${MEMORY_COLUMNS}`,
        [tenantId, id, text, keyHashOf(text)],
      );
      return { kind: 'changed', ...toVersioned<MemoryView>(required(row)) };
    });
  }

  override async delete(
    tenantId: string,
    id: number,
    expected: ExpectedVersions,
  ): Promise<'deleted' | 'not_found' | 'other_version'> {
    const { kind } = await this.withFact(tenantId, id, expected, async (manager, { executor_id, text }) => {
      await rejectFact(manager, { tenantId, executorId: executor_id, text });
      await queryRows(manager, `DELETE FROM memory WHERE tenant_id = $1 AND id = $2`, [tenantId, id]);
      return { kind: 'deleted' as const };
    });
    return kind;
  }

  override async forget(tenantId: string, executorId: string): Promise<void> {
    const owner = [tenantId, executorId];
    await this.dataSource.transaction(async (manager) => {
      await lockExecutor(manager, tenantId, executorId);
      await queryRows(
        manager,
        `INSERT INTO forgotten_executor (tenant_id, executor_hash, forgotten_at) VALUES ($1, $2, clock_timestamp())
         ON CONFLICT (tenant_id, executor_hash) DO UPDATE SET forgotten_at = excluded.forgotten_at RETURNING 1`,
        [tenantId, executorHashOf(tenantId, executorId)],
      );
      // What ends later was accepted before, and is found to be forgotten when it is taken up.
      await queryRows(
        manager,
        `UPDATE memory_extraction SET ended_at = now(), outcome = 'skipped', claim_token = NULL, lease_expires_at = NULL
          WHERE tenant_id = $1 AND executor_id = $2 AND ended_at IS NULL RETURNING 1`,
        owner,
      );
      await queryRows(manager, `DELETE FROM memory WHERE tenant_id = $1 AND executor_id = $2`, owner);
      await queryRows(
        manager,
        `DELETE FROM unwanted_memory WHERE tenant_id = $1 AND executor_id = $2`,
        owner,
      );
    });
  }

  /** Within the lock of the executor whose fact it is. */
  private withFact<Result>(
    tenantId: string,
    id: number,
    expected: ExpectedVersions,
    write: (manager: EntityManager, found: MemoryRow) => Promise<Result>,
  ): Promise<Result | { readonly kind: 'not_found' } | { readonly kind: 'other_version' }> {
    return this.dataSource.transaction(async (manager) => {
      const seen = await findRow(manager, tenantId, id);
      if (seen === undefined) return { kind: 'not_found' };
      await lockExecutor(manager, tenantId, seen.executor_id);
      const found = await findRow(manager, tenantId, id);
      if (found === undefined) return { kind: 'not_found' };
      if (expected !== null && !expected.includes(found.version)) return { kind: 'other_version' };
      return write(manager, found);
    });
  }
}

/** The rows of a list, as one statement without order and limit. */
export function listMemoriesQuery(
  tenantId: string,
  { executorId, agentId, afterId = 0 }: Omit<MemoryFilter, 'limit'>,
): { readonly select: string; readonly parameters: readonly unknown[] } {
  const parameters: unknown[] = [tenantId, afterId];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = [
    'tenant_id = $1',
    'id > $2',
    ...(executorId === undefined ? [] : [`executor_id = ${bind(executorId)}`]),
    ...(agentId === undefined ? [] : [`agent_id = ${bind(agentId)}`]),
  ];
  return { select: `SELECT ${MEMORY_COLUMNS} FROM memory WHERE ${conditions.join(' AND ')}`, parameters };
}

async function findRow(manager: EntityManager, tenantId: string, id: number): Promise<MemoryRow | undefined> {
  const sql = `SELECT ${MEMORY_COLUMNS} FROM memory WHERE tenant_id = $1 AND id = $2`;
  return (await queryRows<MemoryRow>(manager, sql, [tenantId, id]))[0];
}

async function isThere(
  manager: EntityManager,
  tenantId: string,
  executorId: string,
  text: string,
  exceptId = 0,
): Promise<boolean> {
  const rows = await queryRows(
    manager,
    `SELECT 1 FROM memory WHERE tenant_id = $1 AND executor_id = $2 AND key_hash = $3 AND id <> $4`,
    [tenantId, executorId, keyHashOf(text), exceptId],
  );
  return rows.length > 0;
}

function required<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('the statement answers one row');
  return row;
}
