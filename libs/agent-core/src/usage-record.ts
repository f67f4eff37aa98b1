import { addTokens, NO_TOKENS, type TokenUsage } from '#libs/payloads';
import { addDecimals } from '#libs/kernel';
import { scopesOf, type ExecutionState } from './execution-state.js';
import type { ScopeState } from './scope-state.js';
import type { CallCost } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import { sumKnown } from './tracking/execution-metadata.js';

/**
 * Knowledge about the cost of a model call. `known`: the provider reported usage. `failed`: the call gave no answer; it
 * has tokens only if usage was reported. `unknown`: the provider reported nothing, the call was abandoned, or its
 * worker was lost.
 */
export type UsageState = 'known' | 'failed' | 'unknown';

/** The usage of one model call; null tokens are unknown, and are never estimated. */
export interface UsageRecord {
  /** `''` is the root scope. */
  readonly scope: string;
  /** Purpose of the call: `round` in the loop, or a side task like `title`. */
  readonly purpose: string;
  readonly round: number;
  /** Try within the round, from 1. */
  readonly tryNumber: number;
  readonly state: UsageState;
  /** Agent that made the call; null for the execution's own agent. */
  readonly agentId: number | null;
  readonly model: string;
  readonly responseId: string | null;
  readonly tokens: TokenUsage | null;
  /** US dollars as decimal text; null if unknown. */
  readonly costUsd: string | null;
}

/** Records of all model calls, scope by scope in the order of the calls (S4-17, S4-33). */
export function recordUsage(pricing: Pick<LoopRules, 'costOf'>, state: ExecutionState): UsageRecord[] {
  return scopesOf(state).flatMap(([scope, ofScope]) => usageOf(scope, ofScope, pricing));
}

function usageOf(scope: string, state: ScopeState, { costOf }: Pick<LoopRules, 'costOf'>): UsageRecord[] {
  const common = { scope, purpose: 'round', agentId: state.opening?.agentId ?? null } as const;
  const paid = (tokens: TokenUsage | null, cost: CallCost | null | undefined) =>
    cost === undefined ? costOf(tokens) : cost && addDecimals(cost.prompt, cost.completion);
  const asked = state.rounds.filter(({ step }) => step === undefined);
  const answered = asked.map(({ number: round, tryNumber, answer, cost }): UsageRecord => {
    const { model, responseId, usage: tokens } = answer;
    const call = { round, tryNumber, model, responseId, tokens, costUsd: paid(tokens, cost) };
    return { ...common, state: tokens === null ? 'unknown' : 'known', ...call };
  });
  const unanswered = state.unansweredCalls.flatMap(
    ({ model, usage: tokens, cost, ...call }): UsageRecord[] =>
      model === null ? [] : [{ ...common, ...call, model, tokens, costUsd: paid(tokens, cost) }],
  );
  return [...answered, ...unanswered].sort((a, b) => a.round - b.round || a.tryNumber - b.tryNumber);
}

/** Counts calls with unknown tokens; a failed call without reported usage cost none. */
export function countUnknown(usage: readonly UsageRecord[]): number {
  return usage.filter(({ state, tokens }) => state !== 'failed' && tokens === null).length;
}

/** Sum of the known tokens; null if calls were made and none reported tokens. */
export function totalTokens(usage: readonly UsageRecord[]): TokenUsage | null {
  const known = usage.flatMap(({ tokens }) => tokens ?? []);
  return known.length === 0 && countUnknown(usage) > 0 ? null : known.reduce(addTokens, NO_TOKENS);
}

/** Sum of the known costs; `'0'` if no call could have been billed; null if no cost is known. */
export function totalCost(usage: readonly UsageRecord[]): string | null {
  const paid = usage.filter(({ state, tokens }) => state !== 'failed' || tokens !== null);
  return paid.length === 0 ? '0' : sumKnown(paid.map((record) => record.costUsd));
}
