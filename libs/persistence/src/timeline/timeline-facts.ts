import type { CallCost, SwitchReason } from '#libs/agent-core';
import type { TokenUsage } from '#libs/payloads';

/** Kinds of facts that begin an entry; all others belong to the entry of one of these. */
export const ENTRY_KINDS = [
  'model_call_completed',
  'model_call_failed',
  'model_call_interrupted',
  'model_call_lost',
  'model_switched',
  'step_begun',
  'approval_requested',
  'outcome_asked',
] as const;

/** A fact that begins an entry, without texts, arguments and results. */
export interface TimelineFact {
  readonly sequence: number;
  readonly epoch: number;
  readonly kind: (typeof ENTRY_KINDS)[number];
  readonly scope: string;
  readonly created_at: Date;
  readonly round: number;
  readonly position: number | null;
  readonly step: string | null;
  readonly model: string | null;
  readonly response_id: string | null;
  readonly usage: TokenUsage | null;
  readonly cost: CallCost | null;
  readonly error_code: string | null;
  readonly started_ms: number | null;
  readonly duration_ms: number | null;
  readonly first_byte_ms: number | null;
  readonly try_number: number | null;
  readonly switch_reason: SwitchReason | null;
  /** Calls that the model, or the step, asks for. */
  readonly calls: readonly { readonly call_id: string; readonly tool_name: string }[];
  /** The decision of a person that follows; null if there is none. */
  readonly decision: DecisionRow | null;
}

export interface DecisionRow {
  readonly approved: boolean | null;
  readonly outcome: 'happened' | 'did_not_happen' | 'unknown' | null;
  readonly by: { readonly keyId: string | null; readonly person: string | null } | null;
  readonly decided_ms: number;
}

const KINDS = `(${ENTRY_KINDS.map((kind) => `'${kind}'`).join(', ')})`;

/**
 * Facts of execution $1 from the sequence $2 on, at most $3, read in the order of the primary key. Each is parsed once,
 * because its data may be long and is stored compressed. Decisions are few, and have an index of their own. A switch of the
 * model has no time of its own: it follows the end of the call that failed.
 */
export const TIMELINE_FACTS_SQL = `
  WITH fact AS MATERIALIZED (
    SELECT sequence, epoch, kind, scope, created_at, data FROM journal_entry
     WHERE execution_id = $1 AND sequence >= $2 AND kind IN ${KINDS} ORDER BY sequence LIMIT $3
  )
  SELECT fact.sequence, fact.epoch, fact.kind, fact.scope, fact.created_at, part.round, part.position, part.step,
         coalesce(answer.model, spent.model, part.model, part."to" ->> 'model') AS model,
         coalesce(answer."responseId", spent."responseId") AS response_id,
         coalesce(answer.usage, spent.usage) AS usage,
         coalesce(part.cost, spent.cost) AS cost, part.error ->> 'code' AS error_code,
         coalesce(part."startedAt", left_call.ended_ms) AS started_ms, coalesce(part."latencyMs", part."durationMs") AS duration_ms,
         part."firstByteMs" AS first_byte_ms, part."tryNumber" AS try_number, part.reason AS switch_reason,
         coalesce(asked.calls, '[]') AS calls, decided.decision
    FROM fact
   CROSS JOIN LATERAL jsonb_to_record(fact.data) AS part (round int, position int, step text, model text, answer jsonb,
                spent jsonb, cost jsonb, error jsonb, calls jsonb, reason text, "to" jsonb, "startedAt" float8,
                "latencyMs" float8, "durationMs" float8, "firstByteMs" float8, "tryNumber" int)
    LEFT JOIN LATERAL jsonb_to_record(part.answer)
           AS answer (model text, "responseId" text, usage jsonb, "toolCalls" jsonb) ON true
    LEFT JOIN LATERAL jsonb_to_record(part.spent)
           AS spent (model text, "responseId" text, usage jsonb, cost jsonb) ON true
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('call_id', one.call_id, 'tool_name', one.tool_name) ORDER BY one.place) AS calls
        FROM ROWS FROM (jsonb_to_recordset(coalesce(answer."toolCalls", part.calls)) AS ("callId" text, "toolName" text))
             WITH ORDINALITY AS one (call_id, tool_name, place)
    ) asked ON true
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('approved', later.data -> 'approved', 'outcome', later.data #> '{report,kind}',
               'by', later.data -> 'by',
               'decided_ms', coalesce(later.data -> 'decidedAt', to_jsonb(extract(epoch FROM later.created_at) * 1000))) AS decision
        FROM journal_entry later
       WHERE fact.kind IN ('approval_requested', 'outcome_asked') AND later.execution_id = $1
         AND later.kind IN ('approval_decided', 'outcome_reported') AND later.sequence > fact.sequence
         AND later.scope = fact.scope AND later.data -> 'round' = fact.data -> 'round'
         AND later.data -> 'position' = fact.data -> 'position'
         AND (later.kind = 'approval_decided') = (fact.kind = 'approval_requested')
       ORDER BY later.sequence LIMIT 1
    ) decided ON true
    LEFT JOIN LATERAL (
      SELECT (failed.data ->> 'startedAt')::float8 + (failed.data ->> 'durationMs')::float8 AS ended_ms
        FROM journal_entry failed
       WHERE fact.kind = 'model_switched' AND failed.execution_id = $1 AND failed.sequence < fact.sequence
         AND failed.kind = 'model_call_failed' AND failed.scope = fact.scope AND failed.data -> 'round' = fact.data -> 'round'
       ORDER BY failed.sequence DESC LIMIT 1
    ) left_call ON true
   ORDER BY fact.sequence`;

/** The epoch of the last fact of execution $1 before the sequence $2 that begins an entry. */
export const EPOCH_BEFORE_SQL = `
  SELECT epoch FROM journal_entry
   WHERE execution_id = $1 AND sequence < $2 AND kind IN ${KINDS} ORDER BY sequence DESC LIMIT 1`;
