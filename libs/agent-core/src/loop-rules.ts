import type { ListedPrices } from './tracking/execution-metadata.js';
import type { CallVerdict, ParsedArguments } from '#libs/tooling';
import type { AdditionalData, TokenUsage } from '#libs/payloads';
import type { Budget } from '#libs/policy';
import type { MessageTokens } from './history/conversation-length.js';
import type { AnswerRules } from './answers/answer-rules.js';
import type { RequestedCall } from './journal-entry.js';
import type { PipelineRules } from './pipelines/pipeline-rules.js';

/** What bounds one execution; fixed from its claim to its end. */
export interface LoopRules {
  /** How many rounds there may be, 1..30 (S1-57). */
  readonly maximumIterations: number;
  /** How often a failed model call is tried again within a round, 0..5 (S1-11). */
  readonly maxModelRetries: number;
  /** Calls of one round that may run at once; 1 switches parallel calls off. */
  readonly maxParallelToolCalls: number;
  /** The call that a model means, of what it asks for. Pure; what comes of it is what the journal keeps. */
  forward(call: RequestedCall): RequestedCall;
  /**
   * Whether, and as what, a call may run. Pure: asked again after a crash it answers the same.
   *
   * @param parsed its arguments, where they were parsed before
   */
  judge(call: RequestedCall, parsed?: ParsedArguments): CallVerdict;
  /** Names of tools that are not what the run was prepared with: what has not begun of them never does. */
  readonly changedTools: ReadonlySet<string>;
  /** An `unsafe` call waits for a person once its loop has read what somebody outside wrote. */
  readonly asksAfterForeignContent: boolean;
  readonly budget: Budget;
  /** Where the rounds are the steps of a pipeline: then no model is asked for them. */
  readonly pipeline?: PipelineRules;
  /** What its last answer has to be; anything where it is absent. */
  readonly answer?: AnswerRules;
  /** As much of an answer as its user may know of; what the model needs stays in the journal (S0-27). */
  readonly visibleText: (text: string) => string;
  /** Of a message as models read it in later turns. */
  readonly countTokens: (message: {
    readonly role: 'system' | 'user' | 'assistant';
    readonly content: string;
    readonly data: AdditionalData;
  }) => MessageTokens;
  /** Listed prices of the model; null where none are known. */
  readonly prices: ListedPrices | null;
  /** US dollars as decimal text; null where neither provider nor catalogue says. */
  readonly costOf: (tokens: TokenUsage | null) => string | null;
}
