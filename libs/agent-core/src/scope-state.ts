import type { TokenUsage } from '#libs/payloads';
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

/** The question to a person what became of a call. */
export type Inquiry =
  | { readonly kind: 'none' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'reported'; readonly report: Exclude<OutcomeReport, { kind: 'did_not_happen' }> };

export interface ToolCallState extends RequestedCall, CallPosition {
  /** The same object in every state of the call. */
  readonly requested: RequestedCall;
  readonly started: boolean;
  /** Whether the model may have been asked again although no outcome of it was ever written. */
  readonly outcomeMayLag: boolean;
  /** Whether a person has to agree, and what was decided. */
  readonly approval: Approval;
  readonly inquiry: Inquiry;
  /** Why nobody knows what became of it, as far as its worker lived to say: for the audit only. */
  readonly lostBy: string | null;
  readonly timing: CallTiming;
  readonly outcome: ToolCallOutcome | null;
}

export interface RoundState {
  /** From 1. */
  readonly number: number;
  readonly answer: ModelAnswer;
  /** Milliseconds that the model took. */
  readonly latencyMs: number;
  /** Which call of its round gave the answer, from 1. */
  readonly tryNumber: number;
  /** As it was recorded; absent where the prices of the execution say it. */
  readonly cost?: CallCost | null;
  readonly calls: readonly ToolCallState[];
  /** What was wrong with the answer, where the model is asked once more. */
  readonly rejected?: readonly string[];
  /** Set in a pipeline, where no model has answered. */
  readonly step?: BegunStep;
}

export interface ModelFailure {
  readonly error: FailureDetails;
  /** As of `ModelCallError`; absent in what older releases wrote. */
  readonly reason?: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly refusesHistory?: true;
}

/** A model call that gave no answer, and may have been paid all the same. */
export interface UnansweredCall {
  readonly round: number;
  /** Which call of its round, from 1. */
  readonly tryNumber: number;
  /** `unknown`: it was given up, or its worker was lost, before anybody could say what it has cost. */
  readonly state: 'failed' | 'unknown';
  /** Null in what older releases wrote. */
  readonly model: string | null;
  readonly responseId: string | null;
  /** Null where the provider reported none. */
  readonly usage: TokenUsage | null;
  /** Why the provider refused the conversation; absent where it did not. */
  readonly refusal?: string;
  /** As of a round. */
  readonly cost?: CallCost | null;
}

/** One loop of an execution: the root's, or that of a sub-agent. */
export interface ScopeState {
  readonly rounds: readonly RoundState[];
  /** Of a pipeline, those that are over, in their order. */
  readonly steps: readonly SettledStep[];
  /** Failed tries of the round that has no answer yet. */
  readonly modelFailures: readonly ModelFailure[];
  readonly unansweredCalls: readonly UnansweredCall[];
  /** What the model had said when the deadline interrupted it. */
  readonly interruptedText: string;
  readonly isCancelled: boolean;
  /** Its time is up. */
  readonly isLate: boolean;
  /** By whom and with what it was called; null at the root. */
  readonly opening: Pick<ScopeOpening, 'agentId' | 'name' | 'input'> | null;
  /**
   * From where its caller's time limit counts: so many milliseconds were left to the execution; `anew`: all of them,
   * since a person has decided meanwhile. Null where older releases did not say.
   */
  readonly timeFrom: number | 'anew' | null;
  /** What it runs with; null until its model was first asked. */
  readonly preparation: Preparation | null;
  readonly outcome: ExecutionOutcome | null;
}

export const EMPTY_SCOPE: ScopeState = {
  rounds: [],
  steps: [],
  modelFailures: [],
  unansweredCalls: [],
  interruptedText: '',
  isCancelled: false,
  isLate: false,
  opening: null,
  timeFrom: null,
  preparation: null,
  outcome: null,
};
