import { addDecimals, subtractDecimals } from '#libs/kernel';
import { NO_TOKENS, type TokenUsage } from '#libs/payloads';
import type { ScopeState } from '../scope-state.js';

/**
 * The twelve fields of `execution_metadata` (S0-15, 3.E-8), for one round or all. Money is decimal text, so that sums
 * are exact, and null if no price is known. Tokens are null if no provider reported any.
 */
export type ExecutionMetadata = {
  readonly total_price: string | null;
  /** `''` if no price is known. */
  readonly currency: string;
  readonly total_tokens: number | null;
  readonly prompt_tokens: number | null;
  readonly prompt_unit_price: string | null;
  /** Factor from a unit price to the price of one token, e.g. `0.000001`. */
  readonly prompt_price_unit: string | null;
  readonly prompt_price: string | null;
  readonly completion_tokens: number | null;
  readonly completion_unit_price: string | null;
  readonly completion_price_unit: string | null;
  readonly completion_price: string | null;
  /** Duration of the model calls, in seconds. */
  readonly latency: number;
  /** Warnings about tools of an execution that ran nevertheless; only for whole executions, and absent without any. */
  readonly warnings?: readonly string[];
  /**
   * The history shown to the model: verbatim messages from a turn on, and the summary of earlier turns. `is_cut` is
   * true if some turns are in neither. Only for whole executions, and absent in a first turn.
   */
  readonly history?: {
    readonly from_turn: number;
    readonly messages: number;
    readonly tokens: number;
    readonly is_cut: boolean;
    readonly summary: { readonly version: number; readonly through_turn: number } | null;
  };
};

/** Listed prices, as decimal text. */
export interface ListedPrices {
  readonly currency: string;
  readonly promptUnitPrice: string;
  readonly completionUnitPrice: string;
  /** The fraction of a unit that one token is, e.g. `0.000001` for prices per million. */
  readonly priceUnit: string;
}

export interface MeasuredCall {
  readonly tokens: TokenUsage;
  readonly latencyMs: number;
  /** Price of the tokens of one call as decimal text; null if unknown. The prompt alone costs no more than the whole. */
  readonly costOf: (tokens: TokenUsage) => string | null;
  readonly prices: ListedPrices | null;
}

/** Metadata of an execution without model calls. */
export const NO_METADATA: ExecutionMetadata = {
  total_price: '0',
  currency: '',
  total_tokens: 0,
  prompt_tokens: 0,
  prompt_unit_price: '0',
  prompt_price_unit: '0',
  prompt_price: '0',
  completion_tokens: 0,
  completion_unit_price: '0',
  completion_price_unit: '0',
  completion_price: '0',
  latency: 0,
};

/** Metadata of an execution with model calls, none of which reported usage. */
export const UNKNOWN_METADATA: ExecutionMetadata = {
  total_price: null,
  currency: '',
  total_tokens: null,
  prompt_tokens: null,
  prompt_unit_price: null,
  prompt_price_unit: null,
  prompt_price: null,
  completion_tokens: null,
  completion_unit_price: null,
  completion_price_unit: null,
  completion_price: null,
  latency: 0,
};

/** Metadata of one round. Cached input counts as prompt, reasoning as completion. */
export function measureRound({ tokens, latencyMs, costOf, prices }: MeasuredCall): ExecutionMetadata {
  const { output_tokens, reasoning_tokens: _reasoned, total_tokens, ...input } = tokens;
  const { input_tokens } = input;
  const prompt = costOf({ ...NO_TOKENS, ...input, total_tokens: input_tokens });
  const total = costOf(tokens);
  // The rest of the whole: the length of the prompt may change the price of the completion.
  const completion = total === null || prompt === null ? null : subtractDecimals(total, prompt);
  return {
    total_price: sumKnown([prompt, completion]),
    currency: prices?.currency ?? '',
    total_tokens,
    prompt_tokens: input_tokens,
    prompt_unit_price: prices?.promptUnitPrice ?? null,
    prompt_price_unit: prices?.priceUnit ?? null,
    prompt_price: prompt,
    completion_tokens: output_tokens,
    completion_unit_price: prices?.completionUnitPrice ?? null,
    completion_price_unit: prices?.priceUnit ?? null,
    completion_price: completion,
    latency: latencyMs / 1_000,
  };
}

/**
 * Metadata of a round with a recorded cost, for unit prices that are no longer known; a null cost was unknown even
 * then.
 */
export function measurePaid({
  tokens,
  latencyMs,
  cost,
}: Pick<MeasuredCall, 'tokens' | 'latencyMs'> & {
  readonly cost: { readonly prompt: string; readonly completion: string } | null;
}): ExecutionMetadata {
  const measured = measureRound({ tokens, latencyMs, costOf: () => null, prices: null });
  if (cost === null) return measured;
  const { prompt, completion } = cost;
  const total_price = addDecimals(prompt, completion);
  return { ...measured, total_price, currency: 'USD', prompt_price: prompt, completion_price: completion };
}

/**
 * Metadata of all rounds; null stands for a round with unknown usage. Tokens and prices are summed; unit prices, price
 * units, currency and latency are those of the first round with usage (3.E-8).
 */
export function sumRounds(rounds: readonly (ExecutionMetadata | null)[]): ExecutionMetadata {
  const [first, ...later] = rounds.filter((round) => round !== null);
  if (first === undefined) return rounds.length === 0 ? NO_METADATA : UNKNOWN_METADATA;
  return later.reduce(add, first);
}

function add(sum: ExecutionMetadata, round: ExecutionMetadata): ExecutionMetadata {
  return {
    ...sum,
    total_price: sumKnown([sum.total_price, round.total_price]),
    total_tokens: addKnown(sum.total_tokens, round.total_tokens),
    prompt_tokens: addKnown(sum.prompt_tokens, round.prompt_tokens),
    prompt_price: sumKnown([sum.prompt_price, round.prompt_price]),
    completion_tokens: addKnown(sum.completion_tokens, round.completion_tokens),
    completion_price: sumKnown([sum.completion_price, round.completion_price]),
  };
}

function addKnown(sum: number | null, tokens: number | null): number | null {
  return sum === null ? tokens : sum + (tokens ?? 0);
}

/** Sum of the known amounts, as decimal text; null if none is known. */
export function sumKnown(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => addDecimals(sum, amount));
}

/** For people: calls that a model asked for and that could not be run, since nothing says of which tool they are. */
export function droppedCallWarnings({ rounds }: Pick<ScopeState, 'rounds'>): string[] {
  return rounds.flatMap(({ number, answer: { droppedCalls = 0 } }) => {
    if (droppedCalls === 0) return [];
    const calls = droppedCalls === 1 ? 'a tool call' : `${droppedCalls} tool calls`;
    return [
      `the model asked in round ${number} for ${calls} without a name or an id, or broken off: not run`,
    ];
  });
}
