import type { TokenUsage } from '#libs/payloads';
import type { ToolEffect } from '#libs/tooling';
import type { BegunStep, SettledStep } from './pipelines/step-state.js';
import type {
  CallCost,
  CallPosition,
  CallTiming,
  ExecutionOutcome,
  FailureDetails,
  ModelAnswer,
  OutcomeReport,
  Preparation,
  RequestedCall,
  ScopeOpening,
  ToolCallOutcome,
} from './journal-entry.js';

export type Approval =
  | { readonly kind: 'none' }
  | { readonly kind: 'requested'; readonly because?: 'foreign_content' }
  | { readonly kind: 'granted' }
  | { readonly kind: 'denied'; readonly reason: string };

/** The question to a person about the outcome of a call. */
export type Inquiry =
  | { readonly kind: 'none' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'reported'; readonly report: Exclude<OutcomeReport, { kind: 'did_not_happen' }> };

export interface ToolCallState extends RequestedCall, CallPosition {
  /** The same object in every state of the call, so that it can serve as a cache key. */
  readonly requested: RequestedCall;
  readonly started: boolean;
  /** Effect that the tool declared when the call began; absent before, and in entries of older releases. */
  readonly effect?: ToolEffect;
  /** Whether the model may have been called again before an outcome of this call became durable. */
  readonly outcomeMayLag: boolean;
  /** Whether the call needs approval, and the decision. */
  readonly approval: Approval;
  readonly inquiry: Inquiry;
  /** Why the outcome is unknown, if the worker could still record it: for the audit only. */
  readonly lostBy: string | null;
  readonly timing: CallTiming;
  readonly outcome: ToolCallOutcome | null;
}

export interface RoundState {
  /** From 1. */
  readonly number: number;
  readonly answer: ModelAnswer;
  /** Duration of the model call, in milliseconds. */
  readonly latencyMs: number;
  /** The try that gave the answer, from 1. */
  readonly tryNumber: number;
  /** Recorded cost; absent if the execution's own prices apply. */
  readonly cost?: CallCost | null;
  readonly calls: readonly ToolCallState[];
  /** Validation errors of a rejected answer. */
  readonly rejected?: readonly string[];
  /** Set for a round of a pipeline, which has no model answer. */
  readonly step?: BegunStep;
}

export interface ModelFailure {
  readonly error: FailureDetails;
  /** Reason of the `ModelCallError`; absent in entries of older releases. */
  readonly reason?: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly refusesHistory?: true;
}

/** A model call without an answer, which may have been billed all the same. */
export interface UnansweredCall {
  readonly round: number;
  /** The try within the round, from 1. */
  readonly tryNumber: number;
  /** `unknown`: the call was abandoned, or its worker was lost, before its cost was known. */
  readonly state: 'failed' | 'unknown';
  /** Null in entries of older releases. */
  readonly model: string | null;
  readonly responseId: string | null;
  /** Null if the provider reported none. */
  readonly usage: TokenUsage | null;
  /** Why the provider refused the conversation; absent if it did not. */
  readonly refusal?: string;
  /** Recorded cost, as for a round. */
  readonly cost?: CallCost | null;
}

/** One loop of an execution: the root or a sub-agent. */
export interface ScopeState {
  readonly rounds: readonly RoundState[];
  /** Ended steps of a pipeline, in order. */
  readonly steps: readonly SettledStep[];
  /** Failed tries of the current round. */
  readonly modelFailures: readonly ModelFailure[];
  readonly unansweredCalls: readonly UnansweredCall[];
  /** Model that the scope has switched to, and its first round; null while it asks its own. */
  readonly fallback: { readonly llmId: number; readonly model: string; readonly fromRound: number } | null;
  /** Ids of fallback configurations that were switched to or skipped. */
  readonly passedOver: readonly number[];
  /** Partial text of a model call that the deadline interrupted. */
  readonly interruptedText: string;
  readonly isCancelled: boolean;
  /** True after the deadline. */
  readonly isLate: boolean;
  /** The call that opened the scope; null at the root. */
  readonly opening: Pick<ScopeOpening, 'agentId' | 'name' | 'input'> | null;
  /**
   * Start of the caller's time limit, as the milliseconds that the execution had left then. `anew`: its whole time,
   * since a person has decided in the meantime. Null in entries of older releases.
   */
  readonly timeFrom: number | 'anew' | null;
  /** Pinned input; null until the first model call. */
  readonly preparation: Preparation | null;
  readonly outcome: ExecutionOutcome | null;
}

export const EMPTY_SCOPE: ScopeState = {
  rounds: [],
  steps: [],
  modelFailures: [],
  unansweredCalls: [],
  fallback: null,
  passedOver: [],
  interruptedText: '',
  isCancelled: false,
  isLate: false,
  opening: null,
  timeFrom: null,
  preparation: null,
  outcome: null,
};
