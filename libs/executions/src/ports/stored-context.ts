import type { MessageTokens, Preparation } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import type { AdditionalData } from '#libs/payloads';
import type { KnownMemory, ListedSkill, TenantSettings } from '#libs/policy';

export interface StoredMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly data: AdditionalData;
  readonly turnNumber: number;
  /** Token count from when the message was stored; null if it was not counted. */
  readonly tokens: MessageTokens | null;
}

/** Summary of the older part of a conversation. */
export interface StoredSummary {
  /** From 1; each new summary increments it. */
  readonly version: number;
  /** Last turn that the summary covers. */
  readonly throughTurn: number;
  readonly content: string;
}

/** Model configuration with its key still sealed. */
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

/** Settings of a tenant for all of its executions. */
export interface StoredTenant {
  readonly isActive: boolean;
  readonly systemPrompt: string | null;
  readonly settings: TenantSettings;
}

/** Stored data for an attempt, beside its claim. */
export interface StoredContext {
  /** Whether the agent is active now; all other fields are those of the version pinned at the acceptance. */
  readonly agentIsActive: boolean;
  readonly agentVersion: number;
  /** Null when the tenant does not exist. */
  readonly tenant: StoredTenant | null;
  /** Active skills of the tenant, ordered by name. */
  readonly skills: readonly ListedSkill[];
  /** Facts about the executor, oldest first; empty when the agent has no memory. */
  readonly memories: readonly KnownMemory[];
  /** Preparation of an earlier attempt; null before the first model call. */
  readonly preparation: Preparation | null;
  readonly usecaseType: string;
  readonly systemPrompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm: StoredLlm;
  /**
   * Settled messages of the session since its last reset that no summary covers, and its system prompt, oldest first. A
   * later attempt gets the messages of the first one.
   */
  readonly messages: readonly StoredMessage[];
  /** True if older messages may exist: at most {@link MAX_STORED_TURNS} turns before the execution's own are read. */
  readonly hasOlder: boolean;
  /** True if foreign content has entered the conversation since its last reset. */
  readonly hasForeignHistory: boolean;
  /** Null without a summary, and for a later attempt: its pinned instruction contains the summary. */
  readonly summary: StoredSummary | null;
}

/** Maximum turns of a conversation that are read; summaries normally keep it far below. */
export const MAX_STORED_TURNS = 500;

/** Agent with its model configuration, as of one version. */
export type StoredAgent = Omit<
  StoredContext,
  'preparation' | 'messages' | 'hasOlder' | 'hasForeignHistory' | 'summary'
>;
