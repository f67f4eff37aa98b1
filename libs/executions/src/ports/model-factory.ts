import type { ParameterRules, ReadableMedia } from '#libs/payloads';
import type { ModelPort, Pricing } from '#libs/agent-core';
import type { StoredLlm } from './stored-context.js';

/** How many tokens a model finds in texts. */
export interface Tokenizer {
  /** Models of one name count alike. */
  readonly name: string;
  /** Loads what it counts by, in steps between which other work of the process has its turn. */
  load(): Promise<void>;
  count(text: string): number;
}

/** A model configuration, ready to be asked. */
export interface ResolvedModel extends Pricing {
  readonly model: ModelPort;
  /** How often a failed call is tried again, 0..5 (S1-11). */
  readonly maxRetries: number;
  /** Tokens that it reads at once. */
  readonly contextSize: number;
  readonly tokenizer: Tokenizer;
  /** What it reads as it is of files. */
  readonly nativeMedia: readonly ReadableMedia[];
  /** What its calls understand of options, by the limits of its provider. */
  readonly parameters: ParameterRules;
}

/** Resolves the model configuration of an agent: its own key and server, or those of the process. */
export abstract class ModelFactory {
  abstract of(llm: StoredLlm): ResolvedModel;
}
