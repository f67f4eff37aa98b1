import type {
  AnswerPart,
  BakedData,
  IncompleteReason,
  LookedUp,
  PromptMedia,
  TokenUsage,
} from '#libs/payloads';
import type { JsonObject, JsonValue } from '#libs/kernel';
import type { RefusalReason, Sources, StagedChange } from '#libs/tooling';
import type { CallPosition } from './call-position.js';
import type { FailureDetails } from './failure-details.js';
import type { Truncatable } from './kept-answer.js';
import type { DecisionGrounds, OutcomeReport } from './person-decision.js';
import type { PinnedAttachment } from './attachments/pinned-attachment.js';
import type { StepOutcome } from './pipelines/step-state.js';
import type { PinnedRetrieval } from './retrieval/pinned-retrieval.js';
import type { ScopePath } from './scopes/scope-path.js';

export type { CallPosition } from './call-position.js';
export type { FailureDetails } from './failure-details.js';
export type { OutcomeReport } from './person-decision.js';

/** When a call ran, as its worker measured it. Absent in what older releases wrote. */
export interface CallTiming {
  /** Milliseconds since the epoch, by the database's time. */
  readonly startedAt?: number;
  readonly durationMs?: number;
}

export interface RequestedCall {
  /** The provider's `call_id`: what the answer to the model must name. */
  readonly callId: string;
  readonly toolName: string;
  /** JSON text as the model wrote it (made storable), repaired where it was broken and its meaning is certain enough. */
  readonly arguments: string;
  /** The arguments as the model wrote them, where they were repaired. */
  readonly written?: string;
  /** Present where the model asked for it by way of another tool, which the prompt goes on saying. */
  readonly via?: 'call_tool';
}

export type ToolCallOutcome =
  | {
      readonly status: 'succeeded';
      /** What the model reads. */
      readonly output: string;
      readonly result: JsonValue;
      readonly baked?: BakedData;
      readonly staged?: readonly StagedChange[];
      /**
       * Present where somebody outside wrote `output`: marks where it begins and ends in the prompt, and cannot occur in it.
       * `[0-9a-f]{24}`.
       */
      readonly foreign?: string;
      /** What of documents the model reads with it. */
      readonly sources?: Sources;
      /** Pictures that the model sees with it; absent where it reads none. */
      readonly pictures?: readonly PromptMedia[];
      /** What was wrong with what it returned, though it took effect: for the audit only. */
      readonly fault?: string;
    }
  /** The tool threw or timed out. `error` is for the audit only. */
  | { readonly status: 'failed'; readonly output: string; readonly error: string }
  /** Never ran. */
  | {
      readonly status: 'refused';
      readonly output: string;
      /** Absent in what releases wrote that reported reasons by their texts only. */
      readonly reason?: RefusalReason;
      /** What the model read when an equal call failed before. */
      readonly original?: string;
    }
  /** It may or may not have happened: the worker died while it ran, it broke off, or it did not answer in time. */
  | { readonly status: 'outcome_unknown'; readonly output: string };

export interface ModelAnswer {
  readonly responseId: string | null;
  /** The model that answered, as the provider names it. */
  readonly model: string;
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly RequestedCall[];
  readonly usage: TokenUsage | null;
  /** Set when the provider stopped the answer early. */
  readonly incompleteReason: Extract<IncompleteReason, 'max_output_tokens' | 'content_filter'> | null;
  /** Items that must travel back to the provider unchanged, e.g. encrypted reasoning. */
  readonly providerItems: readonly JsonObject[];
  /** Where the plain order (reasoning, text, calls) does not say it all. */
  readonly parts?: readonly AnswerPart[];
  /** What the provider says of places in `text`, as it says it; absent where it says nothing. */
  readonly annotations?: readonly JsonObject[];
  /** Calls that cannot be run, since they have no name or no id, or were broken off; absent where there are none. */
  readonly droppedCalls?: number;
}

/** What a call that gave no answer has cost, as the provider reported it. */
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
 * What a scope was prepared with, beside the version of its agent, which never changes. Later attempts read nothing of
 * this anew, so that no change reaches an execution that has begun.
 */
export interface Preparation {
  readonly agent: { readonly id: number; readonly version: number };
  readonly model: string;
  /** Parameters of the model configuration (`llm.extra`). */
  readonly extra: JsonObject;
  /** What takes the place of the stored system prompt; null where that is used. */
  readonly instruction: string | null;
  /**
   * What the instruction was put together of, in that order, for the audit: name and SHA-256 of each layer, in
   * hexadecimal. Absent in what older releases wrote.
   */
  readonly layers?: readonly { readonly name: string; readonly hash: string }[];
  /** What the model may call: SHA-256 of name, description and parameters, in hexadecimal. */
  readonly tools: readonly { readonly name: string; readonly hash: string }[];
  /**
   * Of these, what the model is given descriptions of, where it searches for the others: names. Absent where it is given all
   * of them.
   */
  readonly listed?: readonly string[];
  /** What was left out of the run, and why, for people; absent where nothing was. Without secrets. */
  readonly warnings?: readonly string[];
  /** What was found for what it is asked, where it answers from documents; absent elsewhere. */
  readonly retrieval?: PinnedRetrieval;
  /** The files that it is asked with, in their order; absent where there are none. */
  readonly attachments?: readonly PinnedAttachment[];
  /** What was looked up of what its messages carry, that of the request among it; absent where nothing was found. */
  readonly lookedUp?: LookedUp;
  /** Present where foreign content has reached the conversation in earlier turns, or what is remembered of the executor. */
  readonly foreignHistory?: true;
  /** What the model is shown of the conversation; absent where nothing was said before, and in what older releases wrote. */
  readonly history?: ShownHistory;
}

/** The part of a conversation that is shown word by word, and what stands for the part before it. */
export interface ShownHistory {
  /** The first turn of it; that of the execution itself where none is shown. */
  readonly fromTurn: number;
  readonly messages: number;
  readonly tokens: number;
  /** Whether messages are in neither part: more would not have fitted, and no summary of them was there yet. */
  readonly isCut: boolean;
  /** The summary, a layer of the instruction, and the last turn that it stands for. */
  readonly summary: { readonly version: number; readonly throughTurn: number } | null;
}

/** A call that is run as a loop of its own: by which agent, and what it is asked. */
export interface ScopeOpening {
  readonly agentId: number;
  /** As its caller knows it. */
  readonly name: string;
  readonly input: string;
  /**
   * Milliseconds that were left to the execution: its caller's time limit counts from there, in every attempt. Absent
   * in what older releases wrote.
   */
  readonly remainingMs?: number;
}

/** One past-tense fact of an execution. Append-only; state is nothing but the fold of these. */
export type JournalEntry = {
  /**
   * Absent at the root. What concerns the execution as a whole is of the root: its ending, its deadline, its
   * cancellation.
   */
  readonly scope?: ScopePath;
} &
  /** The first fact of a scope, written together with what the first call of its model came to. */
  (
    | ({ readonly kind: 'execution_prepared' } & Preparation)
    /** The call of `scope`'s name runs as a loop of its own from here on. */
    | ({ readonly kind: 'scope_opened' } & ScopeOpening)
    /** How a loop inside the execution ended; its caller's `tool_call_settled` follows from it. */
    | { readonly kind: 'scope_settled'; readonly outcome: ExecutionOutcome }
    | {
        readonly kind: 'model_call_completed';
        readonly round: number;
        readonly answer: ModelAnswer;
        /** How long the model took, in milliseconds. */
        readonly latencyMs: number;
        /**
         * By the prices of the day; only inside a scope, whose model may be gone when the execution settles. Null where
         * unknown.
         */
        readonly cost?: CallCost | null;
      }
    | {
        readonly kind: 'model_call_failed';
        readonly round: number;
        readonly error: FailureDetails;
        /** As of `ModelCallError`. Absent in what older releases wrote. */
        readonly reason?: string;
        readonly retryable: boolean;
        /** The provider's wish, in milliseconds, how long to wait before the next try. */
        readonly retryAfterMs: number | null;
        /** Only the conversation can be why it was refused: it is sent once more, shortened, and so is every later one. */
        readonly refusesHistory?: true;
        readonly spent?: LostSpending;
        /** The model that was asked. Absent in what older releases wrote. */
        readonly model?: string;
      }
    /** Deadline, cancellation or the loss of the lease ended the call; `text` is what had arrived. */
    | {
        readonly kind: 'model_call_interrupted';
        readonly round: number;
        readonly text: string;
        /** The model that was asked. Absent in what older releases wrote. */
        readonly model?: string;
      }
    /** The attempt before was lost where it had the model to ask: what that call has cost nobody knows. */
    | { readonly kind: 'model_call_lost'; readonly round: number; readonly model: string }
    /** The answer does not fit what it has to be; the model is asked once more, with what is wrong. */
    | { readonly kind: 'answer_rejected'; readonly round: number; readonly faults: readonly string[] }
    /** A round of a pipeline, in the place of an answer of a model: the calls that its step makes. */
    | {
        readonly kind: 'step_begun';
        readonly round: number;
        readonly step: string;
        /** From 1. */
        readonly attempt: number;
        readonly calls: readonly RequestedCall[];
      }
    /** A step is over; the next one begins. */
    | { readonly kind: 'step_settled'; readonly step: string; readonly outcome: StepOutcome }
    | ({
        readonly kind: 'tool_call_started';
        /**
         * Nobody waits for its outcome to be written before the model is asked again: the call may be repeated. Absent
         * where it may not, and in what older releases wrote.
         */
        readonly repeatable?: true;
      } & CallPosition)
    /**
     * It was marked started and then did not begin: its attempt had been asked to stop meanwhile. It may run, whatever
     * it does.
     */
    | ({ readonly kind: 'tool_call_not_begun' } & CallPosition)
    | ({ readonly kind: 'tool_call_settled'; readonly outcome: ToolCallOutcome } & CallPosition & CallTiming)
    /** An unsafe call broke off or did not answer in time. `error` is for the audit only. */
    | ({ readonly kind: 'tool_call_lost'; readonly error: string } & CallPosition & CallTiming)
    | ({
        readonly kind: 'approval_requested';
        /** Only where nothing but this asks for it. */
        readonly because?: 'foreign_content';
      } & CallPosition)
    | ({ readonly kind: 'approval_decided'; readonly approved: boolean } & DecisionGrounds & CallPosition)
    /** Nobody knows what became of the call; a person was asked. */
    | ({ readonly kind: 'outcome_asked' } & CallPosition)
    | ({ readonly kind: 'outcome_reported'; readonly report: OutcomeReport } & DecisionGrounds & CallPosition)
    | { readonly kind: 'cancellation_requested' }
    /** The time of the execution was up. What a person says later gives it new time. */
    | { readonly kind: 'deadline_reached' }
    | { readonly kind: 'execution_settled'; readonly outcome: ExecutionOutcome }
  );
