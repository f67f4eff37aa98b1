import type { ToolCallOutcome, UsageState } from '#libs/agent-core';
import type { ExecutionResult, TokenUsage } from '#libs/payloads';

/**
 * What a claim came to. `suspect`: claimed, to be isolated. `error`: the store did not answer, or refused; it may have
 * granted it.
 */
export type ClaimOutcome = 'claimed' | 'suspect' | 'poisoned' | 'not_now' | 'not_runnable' | 'error';

/**
 * How an attempt ended. `released`: as the next one to run, because its worker stops. `requeued`: for a better time, since
 * its surroundings failed. `postponed`: the host of its model is away. `left`: to a newer release. `lease_lost`: another
 * worker goes on. The others are of isolated attempts (`IsolationEnding`) whose process could not say it.
 */
export type AttemptEnding =
  | 'settled'
  | 'parked'
  | 'released'
  | 'requeued'
  | 'postponed'
  | 'left'
  | 'lease_lost'
  | 'died'
  | 'cut_off'
  | 'broke_off'
  | 'not_started';

/** How an execution ended. Seconds are by the store's clock; null where it never ran. */
export interface MeasuredEnding {
  readonly status: ExecutionResult['status'];
  /** Of an incomplete one, or the code of the error of any other; null where it is completed. */
  readonly reason: string | null;
  /** From its acceptance to its first claim. */
  readonly waitSeconds: number | null;
  /** From its acceptance to its end. */
  readonly totalSeconds: number | null;
}

/** One call of a model, as its row in the usage says. */
export interface MeasuredModelCall {
  /** `round` of a loop, or what else it was for, such as `title`. */
  readonly purpose: string;
  readonly state: UsageState;
  /** As the provider names it: anybody's text, so no label until it is known to be one of few. */
  readonly model: string;
  readonly tokens: TokenUsage | null;
  /** US dollars as decimal text; null when it cannot be said. */
  readonly costUsd: string | null;
}

/** Something countable that has happened, after it was committed. Plain JSON: it may travel between processes. */
export type Measurement =
  /** `followsLoss`: the attempt before it was lost, and nobody has recorded since what it came to. */
  | { readonly kind: 'claim'; readonly outcome: ClaimOutcome; readonly followsLoss: boolean }
  | { readonly kind: 'attempt'; readonly ending: AttemptEnding }
  /** From the claim of a first attempt to the first piece of text that it emitted. */
  | { readonly kind: 'first_delta'; readonly seconds: number }
  /** Calls of tools that are over, each once. */
  | { readonly kind: 'tool_calls'; readonly outcomes: readonly ToolCallOutcome['status'][] }
  /** A person is asked what became of so many calls. */
  | { readonly kind: 'outcomes_asked'; readonly count: number }
  | { readonly kind: 'model_calls'; readonly calls: readonly MeasuredModelCall[] }
  /** What is made of conversations beside them, in vain after every try. */
  | { readonly kind: 'given_up'; readonly what: 'summary' | 'memory' }
  | ({ readonly kind: 'settled' } & MeasuredEnding);

/**
 * Counts what becomes of executions. Sums of what it is given are sums of the database's rows, as long as no process dies
 * between a commit and its measurement: the database is the truth, this is for rates and alerts. Never throws.
 */
export abstract class ExecutionMeter {
  abstract record(measurement: Measurement): void;
}

/** For processes and tests that count nothing. */
export const NO_METER: ExecutionMeter = { record: () => undefined };
