import type { ListedPrices } from './tracking/execution-metadata.js';
import type { CallVerdict, ParsedArguments } from '#libs/tooling';
import type { AdditionalData, TokenUsage } from '#libs/payloads';
import type { Budget } from '#libs/policy';
import type { MessageTokens } from './history/conversation-length.js';
import type { AnswerRules } from './answers/answer-rules.js';
import type { RequestedCall } from './journal-entry.js';
import type { PipelineRules } from './pipelines/pipeline-rules.js';

/** Other models of a scope, and when it goes on with them. */
export interface FallbackRules {
  /** Ids of model configurations, in order. */
  readonly llms: readonly number[];
  /** Longest wait for a rate limit before a fallback is asked, in milliseconds. */
  readonly rateLimitMs: number;
}

/** The limits and policies of one execution; fixed from its claim to its end. */
export interface LoopRules {
  /** Maximum number of rounds, 1–30 (S1-57). */
  readonly maximumIterations: number;
  /** Maximum retries of a failed model call within a round, 0–5 (S1-11). */
  readonly maxModelRetries: number;
  /** Absent without fallbacks. */
  readonly fallbacks?: FallbackRules;
  /** Maximum calls of one round that run in parallel; 1 disables parallel calls. */
  readonly maxParallelToolCalls: number;
  /** Resolves the call that the model means from the one it wrote. Pure; the journal keeps the result. */
  forward(call: RequestedCall): RequestedCall;
  /**
   * Decides whether a call may run, and with which effect. Pure: after a crash it decides the same.
   *
   * @param parsed the call's arguments, if already parsed
   */
  evaluate(call: RequestedCall, parsed?: ParsedArguments): CallVerdict;
  /** Names of tools that differ from the preparation: their calls that have not begun never run. */
  readonly changedTools: ReadonlySet<string>;
  /** Whether `unsafe` calls need approval once the loop has read foreign content. */
  readonly asksAfterForeignContent: boolean;
  readonly budget: Budget;
  /** Set if the rounds are steps of a pipeline, which asks no model for them. */
  readonly pipeline?: PipelineRules;
  /** Rules for the final answer; absent if any answer is valid. */
  readonly answer?: AnswerRules;
  /** Reduces an answer to what its user may see; the journal keeps the full text for the model (S0-27). */
  readonly visibleText: (text: string) => string;
  /** Counts the tokens of a message as models read it in later turns. */
  readonly countTokens: (message: {
    readonly role: 'system' | 'user' | 'assistant';
    readonly content: string;
    readonly data: AdditionalData;
  }) => MessageTokens;
  /** Listed prices of the model; null if none are known. */
  readonly prices: ListedPrices | null;
  /** US dollars as decimal text; null if neither the provider nor the catalogue has a price. */
  readonly costOf: (tokens: TokenUsage | null) => string | null;
}
