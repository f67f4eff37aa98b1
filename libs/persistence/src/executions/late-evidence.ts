import type { ObservedOutcome } from '#libs/agent-core';
import { cutText } from '#libs/tooling';
import { queryRows, type Queryable } from '../sql.js';
import type { Claim } from '#libs/executions';

/** Maximum bytes (UTF-8) stored of one output. */
const MAX_OUTPUT = 16_384;

/**
 * Stores outcomes that an attempt observed after it lost its lease. Append-only, for people; it decides nothing. Each
 * attempt records a call once; outcomes of deleted executions are dropped.
 */
export async function insertLateEvidence(
  dataSource: Queryable,
  claim: Pick<Claim, 'executionId' | 'epoch' | 'token'>,
  observed: readonly ObservedOutcome[],
): Promise<void> {
  if (observed.length === 0) return;
  const rows = observed.map(({ scope, round, position, outcome }) => ({
    scope,
    round,
    position,
    status: outcome.status,
    output: cutText(outcome.output, MAX_OUTPUT),
    error: outcome.status === 'failed' ? outcome.error : null,
  }));
  await queryRows(
    dataSource,
    `INSERT INTO late_evidence (execution_id, scope, round, position, epoch, claim_token, tenant_id, status, output, error)
     SELECT e.id, seen.scope, seen.round, seen.position, $2, $4, e.tenant_id, seen.status, seen.output, seen.error
       FROM execution e, jsonb_to_recordset($3::jsonb) AS seen (scope text, round int, position int, status text, output text, error text)
      WHERE e.id = $1
     ON CONFLICT DO NOTHING`,
    [claim.executionId, claim.epoch, JSON.stringify(rows), claim.token],
  );
}
