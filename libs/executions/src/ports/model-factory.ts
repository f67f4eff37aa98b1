import type { ParameterRules, ReadableMedia } from '#libs/payloads';
import type { ModelPort, Pricing } from '#libs/agent-core';
import type { StoredLlm } from './stored-context.js';

/** Counts the tokens of texts. */
export interface Tokenizer {
  /** Equal names mean equal counts. */
  readonly name: string;
  /** Loads the vocabulary in steps, so that other work of the process is not blocked. */
  load(): Promise<void>;
  count(text: string): number;
}

/** Model configuration that is ready for calls. */
export interface ResolvedModel extends Pricing {
  /** Id that the model is asked by, where the configuration names an alias. */
  readonly id?: string;
  readonly model: ModelPort;
  /** Retries of a failed call, 0–5 (S1-11). */
  readonly maxRetries: number;
  /** Context size in tokens. */
  readonly contextSize: number;
  readonly tokenizer: Tokenizer;
  /** Media types that the model reads without conversion. */
  readonly nativeMedia: readonly ReadableMedia[];
  /** Parameters that the model's provider accepts, with their limits. */
  readonly parameters: ParameterRules;
}

/** Resolves an agent's model configuration, with its own key and server or those of the process. */
export abstract class ModelFactory {
  abstract of(llm: StoredLlm): ResolvedModel;
}
