import type { JsonObject } from '#libs/kernel';
import type { AdditionalData } from '#libs/payloads';
import type { Claim } from './claim-store.js';
import type { Patience } from './patience.js';

export interface StoredMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly data: AdditionalData;
}

/** A model configuration with its key still sealed. */
export interface StoredLlm {
  readonly id: number;
  readonly tenantId: string;
  readonly isActive: boolean;
  readonly provider: string;
  readonly model: string;
  readonly extra: JsonObject;
  readonly credentials: JsonObject;
  readonly apiKeySealed: string | null;
  readonly pricing: object | null;
}

/** What an attempt needs beside its claim. */
export interface StoredContext {
  /** Whether the agent may be used now; everything else of it is as in the version that the execution was accepted with. */
  readonly agentIsActive: boolean;
  readonly agentVersion: number;
  readonly usecaseType: string;
  readonly systemPrompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm: StoredLlm;
  /** The settled messages of the session since it was last reset, and its system prompt, oldest first. */
  readonly messages: readonly StoredMessage[];
}

/** Agent, model configuration and conversation of a claimed execution. */
export abstract class ContextStore {
  /** Null when the agent does not exist any more. What the store refuses for the moment is asked again with `patience`. */
  abstract load(claim: Claim, patience: Patience): Promise<StoredContext | null>;
}
