import { ROOT, type JournalEntry } from '#libs/agent-core';
import { asStorableJson } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { versionOf } from './journal-version.js';

/** Facts as {@link insertFactsSql} reads them out of JSON, in their order. */
export function toFactRows(entries: readonly JournalEntry[]): object[] {
  return entries.map((entry, index) => {
    const { kind, scope = ROOT, ...data } = entry;
    return { place: index + 1, version: versionOf(entry), kind, scope, data: asStorableJson(data) };
  });
}

/** The SQL expressions of where facts go, and of what they are. */
interface FactsSource {
  /** A part of the statement with a row for each execution: `id`, `tenant_id`. No row, no facts. */
  readonly of: string;
  /** Of the claim that they are written under. */
  readonly epoch: string;
  /** The sequence of the last fact before them. */
  readonly after: string;
  /** What {@link toFactRows} made, as JSON. */
  readonly rows: string;
}

/**
 * The one statement that writes into the journal. Two who append after the same fact meet at the primary key, and one
 * of them is
 * refused.
 */
export function insertFactsSql({ of, epoch, after, rows }: FactsSource): string {
  return `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data)
    SELECT ${of}.id, ${after} + fact.place, ${of}.tenant_id, ${epoch}, fact.version, fact.kind, fact.scope, fact.data
      FROM ${of}, jsonb_to_recordset(${rows}::jsonb) AS fact (place int, version int, kind text, scope text, data jsonb)`;
}

/**
 * Appends facts that no attempt writes. The caller has locked the row of the execution, so nobody else appends
 * meanwhile.
 */
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
