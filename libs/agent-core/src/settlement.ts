import type { JsonObject } from '#libs/kernel';
import {
  holdBakedData,
  type AdditionalData,
  type BakedData,
  type IncompleteReason,
  type RetrievalUsage,
  type TokenUsage,
} from '#libs/payloads';
import type { StagedChange } from '#libs/tooling';
import {
  measurePaid,
  measureRound,
  sumRounds,
  type ExecutionMetadata,
  droppedCallWarnings,
} from './tracking/execution-metadata.js';
import type { ExecutionContext } from './execution-context.js';
import { scopeOf, scopesOf, type ExecutionState } from './execution-state.js';
import { orderSummary, type MessageTokens, type SummaryOrder } from './history/conversation-length.js';
import { leavesForeign } from './foreign-content.js';
import { refusalWarnings } from './history/refused-history.js';
import type { RoundState, UnansweredCall } from './scope-state.js';
import type { LoopRules } from './loop-rules.js';
import type { ExecutionOutcome, FailureDetails, ToolCallOutcome } from './journal-entry.js';
import { childPath, ROOT, type ScopePath } from './scopes/scope-path.js';
import { withAnnotations, withCitations, citationsOf } from './retrieval/citations.js';
import { countUnknown, recordUsage, totalCost, totalTokens, type UsageRecord } from './usage-record.js';

export interface NewChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  readonly data: AdditionalData;
  /** Whether the stored text was truncated. */
  readonly truncated: boolean;
  /** Null if they were not counted. */
  readonly tokens: MessageTokens | null;
}

/** Rules that price the tokens of an execution. */
export type Pricing = Pick<LoopRules, 'costOf' | 'prices'>;

/** The data that the settling transaction writes besides the journal (S4-15 … S4-20). */
export interface Settlement {
  readonly status: ExecutionOutcome['status'];
  readonly incompleteReason: IncompleteReason | null;
  readonly error: FailureDetails | null;
  /** In order; empty after a failure, which leaves the conversation unchanged. */
  readonly messages: readonly NewChatMessage[];
  /** Whether the messages may contain foreign content. */
  readonly hasForeign: boolean;
  /** Null if the conversation is within its budget. */
  readonly summary: SummaryOrder | null;
  readonly staged: readonly StagedChange[];
  /** Recorded for every outcome, since failed executions spend tokens too. */
  readonly usage: readonly UsageRecord[];
  /** Sum of the known tokens; null if calls were made and the tokens of none are known. */
  readonly totalTokens: TokenUsage | null;
  /** Number of calls with unknown tokens, which `totalTokens` does not include. */
  readonly unknownCalls: number;
  /** Usage of the retrieval before the first model call; null without retrieval. */
  readonly retrieval: RetrievalUsage | null;
  /** The twelve fields (S0-15), and warnings. */
  readonly metadata: ExecutionMetadata;
  /** Sum of the known costs, in US dollars as decimal text; null if calls were made and the cost of none is known. */
  readonly totalCostUsd: string | null;
  /** Number of rounds of the root scope. */
  readonly turns: number;
}

/** Maximum warnings of an execution, all its agents together. */
const MAX_WARNINGS = 50;

/** The part of the execution's context that is stored at its end. */
export type SettledTurn = Pick<
  ExecutionContext,
  'newSystemPrompt' | 'input' | 'additionalData' | 'conversation'
>;

export function buildSettlement(
  turn: SettledTurn,
  rules: Pricing & Pick<LoopRules, 'visibleText' | 'countTokens'>,
  state: ExecutionState,
  outcome: ExecutionOutcome,
): Settlement {
  if (outcome.status === 'failed') return buildFailedSettlement(rules, state, outcome.error);
  if (outcome.status === 'cancelled') return buildCancelledSettlement(rules, state);
  const common = { status: outcome.status, ...spent(rules, state) };
  const data = withAnnotations(answerData(state), annotationsOf(state, outcome.text));
  const answer = answerMessage(rules, outcome, data);
  const messages = newMessages(turn, answer).map((message) => withTokens(message, rules));
  const said = messages.filter(({ role }) => role !== 'system').map(({ tokens }) => tokens);
  return {
    ...common,
    incompleteReason: outcome.status === 'incomplete' ? outcome.reason : null,
    error: null,
    messages,
    hasForeign: leavesForeign(state),
    summary: turn.conversation && orderSummary(turn.conversation, said),
    staged: stagedChanges(state),
  };
}

/** The error of a cancelled execution. */
export const CANCELLED: FailureDetails = { code: 'CANCELLED', message: 'the execution was cancelled' };

/** As {@link buildFailedSettlement}. */
export function buildCancelledSettlement(rules: Pricing, state: ExecutionState): Settlement {
  return { ...buildFailedSettlement(rules, state, CANCELLED), status: 'cancelled' };
}

/** Leaves the conversation unchanged; the usage so far is recorded. */
export function buildFailedSettlement(
  pricing: Pricing,
  state: ExecutionState,
  error: FailureDetails,
): Settlement {
  return {
    status: 'failed',
    incompleteReason: null,
    error,
    messages: [],
    hasForeign: false,
    summary: null,
    staged: [],
    ...spent(pricing, state),
  };
}

function spent(
  pricing: Pricing,
  state: ExecutionState,
): Pick<
  Settlement,
  'usage' | 'totalTokens' | 'unknownCalls' | 'retrieval' | 'totalCostUsd' | 'metadata' | 'turns'
> {
  const scopes = scopesOf(state).map(([, scope]) => scope);
  const usage = recordUsage(pricing, state);
  const rounds = scopes.flatMap((scope) =>
    scope.rounds.filter(isAnswered).map((round) => roundMetadata(round, pricing)),
  );
  const unanswered = scopes.flatMap((scope) =>
    scope.unansweredCalls.filter(hasCost).map((call) => callMetadata(call, pricing)),
  );
  const said = scopes.flatMap((scope) => [
    ...(scope.preparation?.warnings ?? []),
    ...refusalWarnings(scope),
    ...droppedCallWarnings(scope),
  ]);
  const warnings = [...new Set(said)].slice(0, MAX_WARNINGS);
  const history = shownHistoryOf(state);
  return {
    usage,
    totalTokens: totalTokens(usage),
    unknownCalls: countUnknown(usage),
    retrieval: state.preparation?.retrieval?.usage ?? null,
    metadata: {
      ...sumRounds([...rounds, ...unanswered]),
      ...(warnings.length > 0 && { warnings }),
      ...(history !== undefined && { history }),
    },
    totalCostUsd: totalCost(usage),
    turns: state.rounds.length,
  };
}

/** The history shown to the model, for people; undefined in a first turn. */
function shownHistoryOf(state: ExecutionState): ExecutionMetadata['history'] {
  const history = scopeOf(state, ROOT).preparation?.history;
  if (history === undefined) return undefined;
  const { fromTurn, messages, tokens, isCut, summary } = history;
  return {
    from_turn: fromTurn,
    messages,
    tokens,
    is_cut: isCut,
    summary: summary && { version: summary.version, through_turn: summary.throughTurn },
  };
}

/** Counts the tokens of a message, but not of the system prompt, which every turn has. */
function withTokens(
  message: Omit<NewChatMessage, 'tokens'>,
  { countTokens }: Pick<LoopRules, 'countTokens'>,
): NewChatMessage {
  return { ...message, tokens: message.role === 'system' ? null : countTokens(message) };
}

/** The answer as its user may see it, which is never longer than the full answer. */
function answerMessage(
  { visibleText }: Pick<LoopRules, 'visibleText'>,
  { text, truncated = false }: { readonly text: string; readonly truncated?: boolean },
  data: BakedData,
): Omit<NewChatMessage, 'tokens'> {
  return { role: 'assistant', content: visibleText(text), data, truncated };
}

function newMessages(
  turn: SettledTurn,
  answer: Omit<NewChatMessage, 'tokens'>,
): Omit<NewChatMessage, 'tokens'>[] {
  const system: Omit<NewChatMessage, 'tokens'>[] =
    turn.newSystemPrompt === null
      ? []
      : [{ role: 'system', content: turn.newSystemPrompt, data: {}, truncated: false }];
  return [
    ...system,
    { role: 'user', content: turn.input, data: turn.additionalData, truncated: false },
    answer,
  ];
}

/** True for a round with a model answer; a pipeline step has none. */
function isAnswered({ step }: RoundState): boolean {
  return step === undefined;
}

/** False for a failed call without reported usage, which cost nothing. */
function hasCost({ state, usage }: UnansweredCall): boolean {
  return state !== 'failed' || usage !== null;
}

/** Tokens and cost of a round; null if the provider reported no usage. */
export function roundMetadata(
  { answer: { usage: tokens }, latencyMs, cost }: RoundState,
  { costOf, prices }: Pricing,
): ExecutionMetadata | null {
  if (tokens === null) return null;
  if (cost !== undefined) return measurePaid({ tokens, latencyMs, cost });
  return measureRound({ tokens, latencyMs, costOf, prices });
}

function callMetadata(
  { usage: tokens, cost }: UnansweredCall,
  { costOf, prices }: Pricing,
): ExecutionMetadata | null {
  if (tokens === null) return null;
  if (cost !== undefined) return measurePaid({ tokens, latencyMs: 0, cost });
  return measureRound({ tokens, latencyMs: 0, costOf, prices });
}

/** The data of tools, with the citations of the answer. No later prompt contains the citations. */
function answerData(state: ExecutionState): BakedData {
  return withCitations(heldData(state), citationsOf(state));
}

/** Annotations of the last answer, if this text is that answer or its beginning. */
function annotationsOf({ rounds }: ExecutionState, text: string): readonly JsonObject[] {
  const last = rounds.at(-1)?.answer;
  return text !== '' && last?.text.startsWith(text) === true ? (last.annotations ?? []) : [];
}

/** Data that tools produced belongs to the answer that follows them, and to no later one (S2-28 … S2-30). */
function heldData(state: ExecutionState): BakedData {
  return succeeded(state).reduce<BakedData>((held, outcome) => holdBakedData(held, outcome.baked), {});
}

function stagedChanges(state: ExecutionState): StagedChange[] {
  return succeeded(state).flatMap((outcome) => outcome.staged ?? []);
}

/**
 * Succeeded calls in order. The calls of a sub-agent take the position of its call, and count only if that call
 * succeeded.
 */
function succeeded(
  state: ExecutionState,
  path: ScopePath = ROOT,
): Extract<ToolCallOutcome, { status: 'succeeded' }>[] {
  const calls = scopeOf(state, path).rounds.flatMap((round) => round.calls);
  return calls.flatMap((call) => {
    if (call.outcome?.status !== 'succeeded') return [];
    const inside = childPath(path, call);
    return state.children.has(inside) ? succeeded(state, inside) : [call.outcome];
  });
}
