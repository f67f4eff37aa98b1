import { callName, isDecision, ROOT, toTakenDecision, type DecisionFact } from '#libs/agent-core';
import type { TakenDecision } from '#libs/payloads';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import { readFact, type JournalRow } from './read-journal.js';

/** A decision of the journal, with the time of its commit. */
interface StoredDecision {
  readonly fact: DecisionFact;
  readonly committedAt: Date;
}

/** All decisions of people on calls of an execution, in order. */
export async function readDecisions(
  source: Pick<DataSource | EntityManager, 'query'>,
  executionId: string,
): Promise<readonly StoredDecision[]> {
  const rows = await queryRows<JournalRow & { readonly created_at: Date }>(
    source,
    `SELECT sequence, version, kind, scope, data, created_at FROM journal_entry
      WHERE execution_id = $1 AND kind IN ('approval_decided', 'outcome_reported') ORDER BY sequence`,
    [executionId],
  );
  return rows.flatMap((row) => {
    const fact = readFact(row);
    return isDecision(fact) ? [{ fact, committedAt: row.created_at }] : [];
  });
}

/** Decisions by `callName`, as steps show them. Decisions of older releases use the time of their commit. */
export function decisionsByCall(
  decisions: readonly StoredDecision[],
): ReadonlyMap<string, readonly TakenDecision[]> {
  const byCall = Map.groupBy(decisions, ({ fact }) => callName(fact.scope ?? ROOT, fact));
  return new Map([...byCall].map(([call, ofCall]) => [call, ofCall.map(toShown)]));
}

function toShown({ fact, committedAt }: StoredDecision): TakenDecision {
  const shown = toTakenDecision(fact);
  return { ...shown, decided_at: shown.decided_at ?? committedAt.toISOString() };
}
