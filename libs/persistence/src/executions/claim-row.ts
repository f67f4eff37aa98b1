import type { Claim, ClaimedState, ClaimResult, StoredFact } from '#libs/executions';
import type { WaitingFor } from '#libs/payloads';
import { toContext, type ContextRow } from './stored-context.js';

/** Result row of the claiming statement; most columns are set only if the execution was claimed. */
export interface ClaimRow {
  readonly asked_id: string;
  /** Null if not claimed. */
  readonly id: string | null;
  /** False if another transaction holds the row or has claimed it in between. */
  readonly is_locked: boolean;
  readonly tenant_id: string;
  readonly agent_id: number;
  readonly session_id: string;
  readonly turn_number: number;
  readonly attempt: number;
  readonly epoch: number;
  readonly claim_token: string;
  readonly remaining_ms: string;
  readonly timeout_ms: number;
  readonly claimed_at_ms: string;
  readonly agent_version: number | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly restored_at: Date | null;
  readonly waiting_for: WaitingFor | null;
  readonly metadata: Claim['accepted']['metadata'];
  readonly message_ids: Claim['messageIds'];
  readonly is_cancelled: boolean;
  readonly is_suspect: boolean;
  readonly needs_fresh_process: boolean;
  readonly is_poisoned: boolean;
  readonly follows_lost_attempt: boolean;
  readonly request: Claim['request'];
  /** Whether the statement has read context and facts. */
  readonly has_state: boolean;
  readonly context: ContextRow | null;
  readonly facts: readonly StoredFact[] | null;
}

/** @param row undefined if there is nothing to run */
export function toClaimResult(row: ClaimRow | undefined): ClaimResult {
  if (!row?.is_locked) return { kind: 'not_runnable' };
  if (row.id === null) return { kind: 'not_now', isSuspect: row.is_suspect };
  const claim = toClaim(row, row.id);
  if (row.is_poisoned) return { kind: 'poisoned', claim };
  return { kind: 'claimed', claim, state: toState(row) };
}

/** An unreadable context does not invalidate the claim: a later read reports its error. */
function toState({ has_state, context, facts }: ClaimRow): ClaimedState | null {
  try {
    return has_state ? { context: context && toContext(context), facts: facts ?? [] } : null;
  } catch {
    return null;
  }
}

function toClaim(row: ClaimRow, executionId: string): Claim {
  return {
    executionId,
    tenantId: row.tenant_id,
    agentId: row.agent_id,
    sessionId: row.session_id,
    turnNumber: row.turn_number,
    attempt: row.attempt,
    epoch: row.epoch,
    token: row.claim_token,
    remainingMs: Number(row.remaining_ms),
    timeoutMs: row.timeout_ms,
    claimedAtMs: Number(row.claimed_at_ms),
    startedAtMs: row.started_at?.getTime() ?? null,
    restoredAtMs: row.restored_at?.getTime() ?? null,
    waitingFor: row.waiting_for,
    accepted: {
      agentVersion: row.agent_version,
      createdAtMs: row.created_at.getTime(),
      metadata: row.metadata,
    },
    messageIds: row.message_ids,
    request: row.request,
    isCancelled: row.is_cancelled,
    isSuspect: row.is_suspect,
    needsFreshProcess: row.needs_fresh_process,
    followsLostAttempt: row.follows_lost_attempt,
  };
}
