import { ROOT, type JournalEntry } from '#libs/agent-core';
import { asStorableJson } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { versionOf } from './journal-version.js';

/** Facts in the JSON form that {@link insertFactsSql} reads, in order. */
export function toFactRows(entries: readonly JournalEntry[]): object[] {
  return entries.map((entry, index) => {
    const { kind, scope = ROOT, ...data } = entry;
    return { place: index + 1, version: versionOf(entry), kind, scope, data: asStorableJson(data) };
  });
}

/** SQL expressions of the target and the content of facts. */
interface FactsSource {
  /** Part of the statement with `id` and `tenant_id` of each execution; without a row no facts are written. */
  readonly of: string;
  /** Epoch of the claim. */
  readonly epoch: string;
  /** Sequence of the last fact before them. */
  readonly after: string;
  /** Result of {@link toFactRows} as JSON. */
  readonly rows: string;
}

/**
 * The only statement that writes to the journal. Concurrent appends after the same fact conflict on the primary key, and
 * one of them fails.
 */
export function insertFactsSql({ of, epoch, after, rows }: FactsSource): string {
  return `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data)
    SELECT ${of}.id, ${after} + fact.place, ${of}.tenant_id, ${epoch}, fact.version, fact.kind, fact.scope, fact.data
      FROM ${of}, jsonb_to_recordset(${rows}::jsonb) AS fact (place int, version int, kind text, scope text, data jsonb)`;
}

/** Appends facts outside an attempt. The caller holds the lock on the execution's row, which excludes other writers. */
export async function appendFacts(
  manager: Pick<EntityManager, 'query'>,
  executionId: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  await queryRows(manager, APPEND_TO_LOCKED_SQL, [executionId, JSON.stringify(toFactRows(entries))]);
}

const APPEND_TO_LOCKED_SQL = `
  WITH locked AS (
    SELECT id, tenant_id, epoch, (SELECT coalesce(max(sequence), 0) FROM journal_entry WHERE execution_id = $1) AS last
      FROM execution WHERE id = $1
  )
  ${insertFactsSql({ of: 'locked', epoch: 'locked.epoch', after: 'locked.last', rows: '$2' })}`;
