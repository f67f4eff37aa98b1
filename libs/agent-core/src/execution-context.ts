import type { JsonObject } from '#libs/kernel';
import type { AdditionalData, PromptMessage } from '#libs/payloads';
import type { PromptTool } from '#libs/tooling';
import type { AttachedContent } from './attachments/pinned-attachment.js';
import type { ConversationLength } from './history/conversation-length.js';
import type { Preparation } from './journal-entry.js';

/** Identifies one attempt at an execution. */
export interface AttemptIdentity {
  readonly executionId: string;
  readonly tenantId: string;
  readonly agentId: number;
  readonly sessionId: string;
  readonly turnNumber: number;
  readonly attempt: number;
  /**
   * Number of claims so far, for reports and the journal. A value can recur if the database loses its latest commits.
   */
  readonly epoch: number;
}

/** Input of one attempt (S4-4), read once, right after the claim. */
export interface ExecutionContext extends AttemptIdentity {
  /** True if an earlier attempt was lost and no later attempt has written anything. */
  readonly followsLostAttempt: boolean;
  /** True if earlier attempts may have crashed their process: this one runs in a process of its own. */
  readonly isSuspect: boolean;
  readonly model: string;
  /** `llm.extra` ← `agent.config` ← `request.options`, the rightmost wins (S3-26). */
  readonly parameters: JsonObject;
  readonly tools: readonly PromptTool[];
  /** The system prompt, assembled from its layers; replaces the stored one for the model. Null if there is none. */
  readonly instruction: string | null;
  /** The agent's system prompt, to be stored as the first message of a new session (S3-11); null once it is there. */
  readonly newSystemPrompt: string | null;
  /** Settled messages of the session that the model is shown verbatim, oldest first. */
  readonly history: readonly PromptMessage[];
  /** Null if the execution adds to no conversation. */
  readonly conversation: ConversationLength | null;
  readonly input: string;
  /** Content of the attached files; absent without attachments. */
  readonly attached?: AttachedContent;
  /** Additional data of the request, stored with the user's message. */
  readonly additionalData: AdditionalData;
  /** The part of the additional data that the model reads after the input; may be empty. */
  readonly inputContext: string;
  /** Pins the preparation for later attempts; null records nothing. */
  readonly preparation: Preparation | null;
}
