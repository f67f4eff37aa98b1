import { addDecimals } from '#libs/kernel';
import {
  addTokens,
  holdBakedData,
  NO_TOKENS,
  type AdditionalData,
  type BakedData,
  type IncompleteReason,
  type TokenUsage,
} from '#libs/payloads';
import type { StagedChange } from '#libs/tooling';
import type { ExecutionContext } from './execution-context.js';
import type { ExecutionState } from './execution-state.js';
import type { ExecutionOutcome, FailureDetails } from './journal-entry.js';

export interface NewChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  readonly data: AdditionalData;
}

/** The usage of one model call; null tokens mean that the provider did not say, and are never guessed. */
export interface UsageRecord {
  readonly round: number;
  readonly model: string;
  readonly responseId: string | null;
  readonly tokens: TokenUsage | null;
  /** US dollars as decimal text; null when it cannot be said. */
  readonly costUsd: string | null;
}

export type CostOf = (tokens: TokenUsage | null) => string | null;

/** What the one settling transaction writes beside the journal (S4-15 … S4-20). */
export interface Settlement {
  readonly status: ExecutionOutcome['status'];
  readonly incompleteReason: IncompleteReason | null;
  readonly error: FailureDetails | null;
  /** In their order; empty after a failure, which leaves the conversation as it was. */
  readonly messages: readonly NewChatMessage[];
  readonly staged: readonly StagedChange[];
  /** Tokens were spent whatever the outcome. */
  readonly usage: readonly UsageRecord[];
  readonly totalTokens: TokenUsage;
  /** The sum of what is known. */
  readonly totalCostUsd: string;
}

export function buildSettlement(
  context: ExecutionContext,
  costOf: CostOf,
  state: ExecutionState,
  outcome: ExecutionOutcome,
): Settlement {
  if (outcome.status === 'failed') return buildFailedSettlement(costOf, state, outcome.error);
  const common = { status: outcome.status, ...spent(costOf, state) };
  return {
    ...common,
    incompleteReason: outcome.status === 'incomplete' ? outcome.reason : null,
    error: null,
    messages: newMessages(context, outcome.text, heldData(state)),
    staged: stagedChanges(state),
  };
}

/** Leaves the conversation as it was; what was spent so far is recorded. */
export function buildFailedSettlement(
  costOf: CostOf,
  state: ExecutionState,
  error: FailureDetails,
): Settlement {
  return {
    status: 'failed',
    incompleteReason: null,
    error,
    messages: [],
    staged: [],
    ...spent(costOf, state),
  };
}

function spent(
  costOf: CostOf,
  state: ExecutionState,
): Pick<Settlement, 'usage' | 'totalTokens' | 'totalCostUsd'> {
  const usage = state.rounds.map((round): UsageRecord => {
    const { model, responseId, usage: tokens } = round.answer;
    return { round: round.number, model, responseId, tokens, costUsd: costOf(tokens) };
  });
  return {
    usage,
    totalTokens: usage.reduce((sum, record) => addTokens(sum, record.tokens ?? NO_TOKENS), NO_TOKENS),
    totalCostUsd: usage.reduce((sum, record) => addDecimals(sum, record.costUsd ?? '0'), '0'),
  };
}

function newMessages(context: ExecutionContext, text: string, baked: BakedData): NewChatMessage[] {
  const system: NewChatMessage[] =
    context.newSystemPrompt === null ? [] : [{ role: 'system', content: context.newSystemPrompt, data: {} }];
  return [
    ...system,
    { role: 'user', content: context.input, data: context.additionalData },
    { role: 'assistant', content: text, data: baked },
  ];
}

/** What tools produced lands in the answer that follows them, and in no later one (S2-28 … S2-30). */
function heldData(state: ExecutionState): BakedData {
  return succeeded(state).reduce<BakedData>((held, outcome) => holdBakedData(held, outcome.baked), {});
}

function stagedChanges(state: ExecutionState): StagedChange[] {
  return succeeded(state).flatMap((outcome) => outcome.staged ?? []);
}

function succeeded(state: ExecutionState) {
  const outcomes = state.rounds.flatMap((round) => round.calls.map((call) => call.outcome));
  return outcomes.filter((outcome) => outcome?.status === 'succeeded');
}
