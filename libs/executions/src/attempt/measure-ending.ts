import type { UsageRecord } from '#libs/agent-core';
import type { ExecutionResult } from '#libs/payloads';
import type { Claim } from '../ports/claim-store.js';
import type { MeasuredEnding, MeasuredModelCall } from '../ports/execution-meter.js';

/** Durations, status and reason of a settled execution. */
export function measureEnding(result: ExecutionResult): MeasuredEnding {
  const { status, created_at, started_at, finished_at } = result;
  return {
    status,
    reason: reasonOf(result),
    waitSeconds: secondsBetween(created_at, started_at),
    totalSeconds: started_at === null ? null : secondsBetween(created_at, finished_at),
  };
}

export function measureModelCalls(usage: readonly UsageRecord[]): MeasuredModelCall[] {
  return usage.map(({ purpose, state, model, tokens, costUsd }) => ({
    purpose,
    state,
    model,
    tokens,
    costUsd,
  }));
}

/**
 * Log fields of a settled execution: ids, outcome, times in milliseconds, tokens and cost; never text of users or models.
 */
export function describeEnding(claim: Claim, result: ExecutionResult): object {
  const { waitSeconds, totalSeconds } = measureEnding(result);
  const { usage } = result;
  return {
    executionId: claim.executionId,
    tenantId: claim.tenantId,
    agentId: claim.agentId,
    sessionId: claim.sessionId,
    turn: claim.turnNumber,
    attempt: claim.attempt,
    status: result.status,
    reason: reasonOf(result),
    waitMs: toMs(waitSeconds),
    totalMs: toMs(totalSeconds),
    rounds: result.num_turns,
    inputTokens: usage?.input_tokens ?? null,
    outputTokens: usage?.output_tokens ?? null,
    costUsd: usage?.total_cost_usd ?? null,
  };
}

function reasonOf({ incomplete_details, error }: ExecutionResult): string | null {
  return incomplete_details?.reason ?? error?.code ?? null;
}

function secondsBetween(from: string, to: string | null): number | null {
  return to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from)) / 1_000;
}

function toMs(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000);
}
