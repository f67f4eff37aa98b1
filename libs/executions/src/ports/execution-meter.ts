import type { ToolCallOutcome, UsageState } from '#libs/agent-core';
import type { ExecutionResult, TokenUsage } from '#libs/payloads';

/**
 * Outcome of a claim. `suspect`: claimed for isolation. `error`: the store failed or did not answer; the claim may have
 * been granted.
 */
export type ClaimOutcome =
  'claimed' | 'assigned' | 'suspect' | 'poisoned' | 'not_now' | 'not_runnable' | 'error';

/**
 * Ending of an attempt. `released`: its worker stops; next to run. `requeued`: a failure of the environment; retried with
 * backoff. `postponed`: an external dependency is unavailable. `left`: needs a newer release. `lease_lost`: another
 * worker goes on. The others belong to isolated attempts (`IsolationEnding`) without a report of their process.
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

/** Ending of an execution; seconds by the store's clock, null if it never ran. */
export interface MeasuredEnding {
  readonly status: ExecutionResult['status'];
  /** Reason of an incomplete execution, or the error code of any other; null if completed. */
  readonly reason: string | null;
  /** Seconds from the acceptance to the first claim. */
  readonly waitSeconds: number | null;
  /** Seconds from the acceptance to the end. */
  readonly totalSeconds: number | null;
}

/** One model call, as its usage row records it. */
export interface MeasuredModelCall {
  /** `round` for a loop; otherwise the purpose, such as `title`. */
  readonly purpose: string;
  readonly state: UsageState;
  /** Name from the provider: free text, so it must not become a label before it is mapped to a known model. */
  readonly model: string;
  readonly tokens: TokenUsage | null;
  /** US dollars as decimal text; null if unknown. */
  readonly costUsd: string | null;
}

/** Countable event after its commit. Plain JSON, because it may cross process boundaries. */
export type Measurement =
  /** `followsLoss`: the attempt before was lost and its outcome is not recorded yet. */
  | { readonly kind: 'claim'; readonly outcome: ClaimOutcome; readonly followsLoss: boolean }
  | { readonly kind: 'attempt'; readonly ending: AttemptEnding }
  /** Seconds from the claim of a first attempt to its first piece of text. */
  | { readonly kind: 'first_delta'; readonly seconds: number }
  /** Finished tool calls, each counted once. */
  | { readonly kind: 'tool_calls'; readonly outcomes: readonly ToolCallOutcome['status'][] }
  /** Number of calls with a question for their outcome to a person. */
  | { readonly kind: 'outcomes_asked'; readonly count: number }
  | { readonly kind: 'model_calls'; readonly calls: readonly MeasuredModelCall[] }
  /** Background work on a conversation that failed after all tries. */
  | { readonly kind: 'given_up'; readonly what: 'summary' | 'memory' }
  | ({ readonly kind: 'settled' } & MeasuredEnding);

/**
 * Metrics of executions for rates and alerts. They match the database's rows unless a process dies between commit and
 * measurement; the database is authoritative. Never throws.
 */
export abstract class ExecutionMeter {
  abstract record(measurement: Measurement): void;
}

/** Meter for processes and tests without metrics. */
export const NO_METER: ExecutionMeter = { record: () => undefined };
