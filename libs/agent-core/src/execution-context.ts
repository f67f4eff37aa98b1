import type { JsonObject } from '#libs/kernel';
import type { AdditionalData, PromptMessage } from '#libs/payloads';
import type { PromptTool } from '#libs/tooling';
import type { AttachedContent } from './attachments/pinned-attachment.js';
import type { ConversationLength } from './history/conversation-length.js';
import type { Preparation } from './journal-entry.js';

/** An attempt, and whose execution it is at. */
export interface AttemptIdentity {
  readonly executionId: string;
  readonly tenantId: string;
  readonly agentId: number;
  readonly sessionId: string;
  readonly turnNumber: number;
  readonly attempt: number;
  /** How often it was claimed; for reports and the journal. It can recur when the database loses its tail. */
  readonly epoch: number;
}

/** Everything one attempt needs to know before it begins (S4-4); read once, right after the claim. */
export interface ExecutionContext extends AttemptIdentity {
  /** An attempt before it was lost, and none since has written anything. */
  readonly followsLostAttempt: boolean;
  /** Earlier attempts may have ended their processes: this one has one for itself. */
  readonly isSuspect: boolean;
  readonly model: string;
  /** `llm.extra` ← `agent.config` ← `request.options`, the rightmost wins (S3-26). */
  readonly parameters: JsonObject;
  readonly tools: readonly PromptTool[];
  /**
   * The system prompt, put together of its layers; takes the place of the stored one before the model. Null: there is
   * none.
   */
  readonly instruction: string | null;
  /** The agent's system prompt, to be stored as the first message of a new session (S3-11); null once it is there. */
  readonly newSystemPrompt: string | null;
  /** The settled messages of the session that the model is shown word by word, oldest first. */
  readonly history: readonly PromptMessage[];
  /** Null where no conversation grows by it. */
  readonly conversation: ConversationLength | null;
  readonly input: string;
  /** What is in the files that came with it; absent where none did. */
  readonly attached?: AttachedContent;
  /** What the request brought along; kept with the user's message. */
  readonly additionalData: AdditionalData;
  /** What of it the model reads, after the input; empty where there is nothing. */
  readonly inputContext: string;
  /** What later attempts make the same of; null records nothing. */
  readonly preparation: Preparation | null;
}
