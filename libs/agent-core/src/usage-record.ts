import { addTokens, NO_TOKENS, type TokenUsage } from '#libs/payloads';
import { addDecimals } from '#libs/kernel';
import { scopesOf, type ExecutionState } from './execution-state.js';
import type { ScopeState } from './scope-state.js';
import type { CallCost } from './journal-entry.js';
import type { LoopRules } from './loop-rules.js';
import { sumKnown } from './tracking/execution-metadata.js';

/**
 * What is known of the cost of one model call. `known`: the provider reported it. `failed`: the call gave no answer; tokens
 * where it was reported all the same. `unknown`: nobody can say, since the provider did not, the call was given up, or its
 * worker was lost.
 */
export type UsageState = 'known' | 'failed' | 'unknown';

/** The usage of one model call; null tokens mean that nobody can say, and are never guessed. */
export interface UsageRecord {
  /** `''` is the execution's own loop. */
  readonly scope: string;
  /** What the model was asked for: `round` of the loop, or something beside it, such as `title`. */
  readonly purpose: string;
  readonly round: number;
  /** Which call of its round, from 1. */
  readonly tryNumber: number;
  readonly state: UsageState;
  /** Who asked; null: the agent of the execution. */
  readonly agentId: number | null;
  readonly model: string;
  readonly responseId: string | null;
  readonly tokens: TokenUsage | null;
  /** US dollars as decimal text; null when it cannot be said. */
  readonly costUsd: string | null;
}

/** A record of every model call, scope by scope in the order in which they were made (S4-17, S4-33). */
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

/** Calls with unknown tokens; one that failed without a report has cost none. */
export function countUnknown(usage: readonly UsageRecord[]): number {
  return usage.filter(({ state, tokens }) => state !== 'failed' && tokens === null).length;
}

/** The sum of the tokens that are known; null where calls were made and none is. */
export function totalTokens(usage: readonly UsageRecord[]): TokenUsage | null {
  const known = usage.flatMap(({ tokens }) => tokens ?? []);
  return known.length === 0 && countUnknown(usage) > 0 ? null : known.reduce(addTokens, NO_TOKENS);
}

/** The sum of what is known; `'0'` where nothing was asked that could have been paid; null where nothing of it is known. */
export function totalCost(usage: readonly UsageRecord[]): string | null {
  const paid = usage.filter(({ state, tokens }) => state !== 'failed' || tokens !== null);
  return paid.length === 0 ? '0' : sumKnown(paid.map((record) => record.costUsd));
}
