import type { MessageTokens, Preparation } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import type { AdditionalData } from '#libs/payloads';
import type { KnownMemory, ListedSkill, TenantSettings } from '#libs/policy';

export interface StoredMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly data: AdditionalData;
  readonly turnNumber: number;
  /** As they were counted when it was stored; null where nobody did. */
  readonly tokens: MessageTokens | null;
}

/** What stands for the older part of a conversation. */
export interface StoredSummary {
  /** From 1; each one that takes its place has the next. */
  readonly version: number;
  /** The last turn that it stands for. */
  readonly throughTurn: number;
  readonly content: string;
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

/** What a tenant says of every execution of its own. */
export interface StoredTenant {
  readonly isActive: boolean;
  readonly systemPrompt: string | null;
  readonly settings: TenantSettings;
}

/** What an attempt needs beside its claim. */
export interface StoredContext {
  /** Whether the agent may be used now; everything else of it is as in the version that the execution was accepted with. */
  readonly agentIsActive: boolean;
  readonly agentVersion: number;
  /** Null where there is no such tenant. */
  readonly tenant: StoredTenant | null;
  /** The active skills of the tenant, by name. */
  readonly skills: readonly ListedSkill[];
  /** What is remembered of the executor, oldest first; nothing where the agent is not to remember anything. */
  readonly memories: readonly KnownMemory[];
  /** What an earlier attempt began with; null before its model was first asked. */
  readonly preparation: Preparation | null;
  readonly usecaseType: string;
  readonly systemPrompt: string | null;
  readonly config: JsonObject;
  readonly tools: JsonObject;
  readonly llm: StoredLlm;
  /**
   * The settled messages of the session that no summary stands for, since it was last reset, and its system prompt, oldest
   * first. An attempt that goes on finds those that the first one began with.
   */
  readonly messages: readonly StoredMessage[];
  /** Whether there may be older ones among these: no more than {@link MOST_STORED_TURNS} before its own are read. */
  readonly hasOlder: boolean;
  /** Whether foreign content has reached the conversation since it was last reset. */
  readonly hasForeignHistory: boolean;
  /** Null where none is there, and for an attempt that goes on, whose instruction has it. */
  readonly summary: StoredSummary | null;
}

/** Turns of a conversation that are read at most, whatever is summarised; summaries keep them far below that. */
export const MOST_STORED_TURNS = 500;

/** An agent with its model configuration, as one of its versions has them. */
export type StoredAgent = Omit<
  StoredContext,
  'preparation' | 'messages' | 'hasOlder' | 'hasForeignHistory' | 'summary'
>;
