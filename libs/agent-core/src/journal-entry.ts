import type {
  AnswerPart,
  BakedData,
  IncompleteReason,
  LookedUp,
  PromptMedia,
  TokenUsage,
} from '#libs/payloads';
import type { JsonObject, JsonValue } from '#libs/kernel';
import type { RefusalReason, Sources, StagedChange, ToolEffect } from '#libs/tooling';
import type { CallPosition, ScopePath } from './scopes/scope-path.js';
import type { FailureDetails } from './failure-details.js';
import type { SwitchReason } from './fallbacks/switch-reason.js';
import type { Truncatable } from './kept-answer.js';
import type { DecisionGrounds, OutcomeReport } from './person-decision.js';
import type { PinnedAttachment } from './attachments/pinned-attachment.js';
import type { StepOutcome } from './pipelines/step-state.js';
import type { PinnedRetrieval } from './retrieval/pinned-retrieval.js';

export type { CallPosition } from './scopes/scope-path.js';
export type { FailureDetails } from './failure-details.js';
export type { OutcomeReport } from './person-decision.js';

/** When a call ran, as its worker measured it. Absent in entries of older releases. */
export interface CallTiming {
  /** Milliseconds since the epoch, by the database's time. */
  readonly startedAt?: number;
  readonly durationMs?: number;
}

/** How a try of a model call went, for people only. Absent in entries of older releases. */
export interface ModelCallTrace {
  /** Milliseconds since the epoch, by the database's time; without the pause before a retry. */
  readonly startedAt?: number;
  /** Try within the round, from 1. */
  readonly tryNumber?: number;
  /** Milliseconds from the start to the first part of the answer; absent if none arrived before the end. */
  readonly firstByteMs?: number;
}

export interface RequestedCall {
  /** The provider's `call_id`, which the tool result must name. */
  readonly callId: string;
  readonly toolName: string;
  /** The model's JSON arguments, made storable, and repaired if they were malformed but unambiguous enough. */
  readonly arguments: string;
  /** The original arguments, if they were repaired. */
  readonly written?: string;
  /** Present if the model made the call through another tool; the prompt keeps showing it that way. */
  readonly via?: 'call_tool';
}

export type ToolCallOutcome =
  | {
      readonly status: 'succeeded';
      /** Text that the model reads. */
      readonly output: string;
      readonly result: JsonValue;
      readonly baked?: BakedData;
      readonly staged?: readonly StagedChange[];
      /**
       * Present if `output` is foreign content: the mark that delimits it in the prompt and cannot occur in it.
       * `[0-9a-f]{24}`.
       */
      readonly foreign?: string;
      /** Passages of documents that the model reads with the output. */
      readonly sources?: Sources;
      /** Images that the model sees with the output; absent if it reads none. */
      readonly pictures?: readonly PromptMedia[];
      /** Why the returned value is invalid although the call took effect: for the audit only. */
      readonly fault?: string;
    }
  /** The tool threw or timed out. `error` is for the audit only. */
  | { readonly status: 'failed'; readonly output: string; readonly error: string }
  /** Never ran. */
  | {
      readonly status: 'refused';
      readonly output: string;
      /** Absent in entries of releases that reported reasons by their texts only. */
      readonly reason?: RefusalReason;
      /** Output that the model read when an equal call failed before. */
      readonly original?: string;
    }
  /** The call may have taken effect: its worker died while it ran, it broke off, or it did not answer in time. */
  | { readonly status: 'outcome_unknown'; readonly output: string };

export interface ModelAnswer {
  readonly responseId: string | null;
  /** The model that answered, as the provider names it. */
  readonly model: string;
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly RequestedCall[];
  readonly usage: TokenUsage | null;
  /** Set if the provider ended the answer early. */
  readonly incompleteReason: Extract<IncompleteReason, 'max_output_tokens' | 'content_filter'> | null;
  /** Items that must travel back to the provider unchanged, e.g. encrypted reasoning. */
  readonly providerItems: readonly JsonObject[];
  /** Present if the default order (reasoning, text, calls) is not exact. */
  readonly parts?: readonly AnswerPart[];
  /** The provider's annotations of places in `text`, unchanged; absent if there are none. */
  readonly annotations?: readonly JsonObject[];
  /** Calls that cannot be run, since they have no name or no id, or were broken off; absent if there are none. */
  readonly droppedCalls?: number;
}

/** Usage and cost of a call without an answer, as the provider reported them. */
export interface LostSpending {
  readonly responseId: string | null;
  readonly model: string;
  readonly usage: TokenUsage;
  /** As in `model_call_completed`. */
  readonly cost?: CallCost | null;
}

/** US dollars as decimal text. */
export interface CallCost {
  readonly prompt: string;
  readonly completion: string;
}

export type ExecutionOutcome =
  | ({ readonly status: 'completed'; readonly text: string } & Truncatable)
  | ({
      readonly status: 'incomplete';
      readonly reason: IncompleteReason;
      readonly text: string;
    } & Truncatable)
  | { readonly status: 'failed'; readonly error: FailureDetails }
  | { readonly status: 'cancelled' };

/**
 * The pinned input of a scope, beside its immutable agent version. Later attempts use it instead of reading current
 * data, so that no change reaches an execution that has begun.
 */
export interface Preparation {
  readonly agent: { readonly id: number; readonly version: number };
  readonly model: string;
  /** Parameters of the model configuration (`llm.extra`). */
  readonly extra: JsonObject;
  /** Replaces the stored system prompt; null if the stored one is used. */
  readonly instruction: string | null;
  /**
   * Layers of the instruction in order, for the audit: name and SHA-256 of each, in hexadecimal. Absent in entries of
   * older releases.
   */
  readonly layers?: readonly { readonly name: string; readonly hash: string }[];
  /** Tools that the model may call: name, and SHA-256 of name, description and parameters in hexadecimal. */
  readonly tools: readonly { readonly name: string; readonly hash: string }[];
  /** Names of the tools listed in the prompt, if the model searches for the others. Absent if all are listed. */
  readonly listed?: readonly string[];
  /** Warnings for people about parts left out of the run; absent without any. Without secrets. */
  readonly warnings?: readonly string[];
  /** Passages retrieved for the input; absent if the agent does not answer from documents. */
  readonly retrieval?: PinnedRetrieval;
  /** Attached files in order; absent without attachments. */
  readonly attachments?: readonly PinnedAttachment[];
  /** Data looked up for the messages, the request's included; absent if nothing was found. */
  readonly lookedUp?: LookedUp;
  /** Present if earlier turns, or memories of the executor, brought foreign content to the conversation. */
  readonly foreignHistory?: true;
  /** The history shown to the model; absent in a first turn, and in entries of older releases. */
  readonly history?: ShownHistory;
}

/** The turns shown verbatim, and the summary that stands for earlier ones. */
export interface ShownHistory {
  /** First turn shown; the execution's own turn if none is shown. */
  readonly fromTurn: number;
  readonly messages: number;
  readonly tokens: number;
  /** True if messages are neither shown nor summarised: they exceeded the budget before a summary existed. */
  readonly isCut: boolean;
  /** The summary in the instruction, and the last turn that it covers. */
  readonly summary: { readonly version: number; readonly throughTurn: number } | null;
}

/** A call that runs as a scope: its agent and its input. */
export interface ScopeOpening {
  readonly agentId: number;
  /** Tool name by which the caller called the agent. */
  readonly name: string;
  readonly input: string;
  /**
   * Milliseconds that the execution had left when the scope opened: the caller's time limit counts from there in every
   * attempt. Absent in entries of older releases.
   */
  readonly remainingMs?: number;
}

/** One past-tense fact of an execution. Append-only; state is nothing but the fold of these. */
export type JournalEntry = {
  /** Absent at the root scope, which also holds the execution's end, deadline and cancellation. */
  readonly scope?: ScopePath;
} &
  /** The first fact of a scope, written together with the result of its first model call. */
  (
    | ({ readonly kind: 'execution_prepared' } & Preparation)
    /** The call named by `scope` runs as a scope from here on. */
    | ({ readonly kind: 'scope_opened' } & ScopeOpening)
    /** End of an inner scope; its caller's `tool_call_settled` follows from it. */
    | { readonly kind: 'scope_settled'; readonly outcome: ExecutionOutcome }
    | ({
        readonly kind: 'model_call_completed';
        readonly round: number;
        readonly answer: ModelAnswer;
        /** Duration of the model call, in milliseconds. */
        readonly latencyMs: number;
        /**
         * Cost at the time of the call; only in inner scopes, since their model may be gone when the execution settles.
         * Null if unknown.
         */
        readonly cost?: CallCost | null;
      } & ModelCallTrace)
    | ({
        readonly kind: 'model_call_failed';
        readonly round: number;
        readonly error: FailureDetails;
        /** Reason of the `ModelCallError`. Absent in entries of older releases. */
        readonly reason?: string;
        readonly retryable: boolean;
        /** Milliseconds that the provider asks to wait before the next try; null if it does not say. */
        readonly retryAfterMs: number | null;
        /** The provider refuses the conversation itself: it is resent once, shortened, and stays shortened. */
        readonly refusesHistory?: true;
        readonly spent?: LostSpending;
        /** The called model. Absent in entries of older releases. */
        readonly model?: string;
        /** Duration of the try, in milliseconds. Absent in entries of older releases. */
        readonly durationMs?: number;
      } & ModelCallTrace)
    /** The deadline, cancellation or loss of the lease ended the call; `text` holds the part that had arrived. */
    | ({
        readonly kind: 'model_call_interrupted';
        readonly round: number;
        readonly text: string;
        /** The called model. Absent in entries of older releases. */
        readonly model?: string;
        /** Duration of the try, in milliseconds. Absent in entries of older releases. */
        readonly durationMs?: number;
      } & ModelCallTrace)
    /** The previous attempt may have been calling the model when it was lost: the cost of that call is unknown. */
    | { readonly kind: 'model_call_lost'; readonly round: number; readonly model: string }
    /** The scope goes on with a fallback model; its round has all tries anew. `to` is null if no fallback is usable. */
    | {
        readonly kind: 'model_switched';
        readonly round: number;
        readonly reason: SwitchReason;
        readonly to: { readonly llmId: number; readonly model: string } | null;
        /** Ids of model configurations that were skipped. */
        readonly unusable: readonly number[];
      }
    /** The answer is invalid; the model is called once more with `faults`. */
    | { readonly kind: 'answer_rejected'; readonly round: number; readonly faults: readonly string[] }
    /** A round of a pipeline: the calls of a step replace a model answer. */
    | {
        readonly kind: 'step_begun';
        readonly round: number;
        readonly step: string;
        /** From 1. */
        readonly attempt: number;
        readonly calls: readonly RequestedCall[];
      }
    /** A step has ended; the next one may begin. */
    | { readonly kind: 'step_settled'; readonly step: string; readonly outcome: StepOutcome }
    | ({
        readonly kind: 'tool_call_started';
        /**
         * The call is repeatable: the next model call does not wait for a durable outcome. Absent for other calls, and
         * in entries of older releases.
         */
        readonly repeatable?: true;
        /** Effect that the tool declared, for people only. Absent in entries of older releases. */
        readonly effect?: ToolEffect;
      } & CallPosition)
    /**
     * The call was marked started but did not begin, because its attempt was stopped. It may run later, even if unsafe.
     */
    | ({ readonly kind: 'tool_call_not_begun' } & CallPosition)
    | ({ readonly kind: 'tool_call_settled'; readonly outcome: ToolCallOutcome } & CallPosition & CallTiming)
    /** An unsafe call broke off or timed out. `error` is for the audit only. */
    | ({ readonly kind: 'tool_call_lost'; readonly error: string } & CallPosition & CallTiming)
    | ({
        readonly kind: 'approval_requested';
        /** Present only if foreign content is the sole reason. */
        readonly because?: 'foreign_content';
      } & CallPosition)
    | ({ readonly kind: 'approval_decided'; readonly approved: boolean } & DecisionGrounds & CallPosition)
    /** The outcome of the call is unknown; a person was asked for it. */
    | ({ readonly kind: 'outcome_asked' } & CallPosition)
    | ({ readonly kind: 'outcome_reported'; readonly report: OutcomeReport } & DecisionGrounds & CallPosition)
    | { readonly kind: 'cancellation_requested' }
    /** The execution reached its deadline. A later decision of a person starts a new one. */
    | { readonly kind: 'deadline_reached' }
    | { readonly kind: 'execution_settled'; readonly outcome: ExecutionOutcome }
  );
