import type { JsonObject } from '#libs/kernel';
import type { LoopRules } from '../loop-rules.js';
import type { ModelPort } from './model.js';

/** Model that a scope is asked of while its own cannot be reached. */
export interface FallbackModel {
  /** Id of its model configuration. */
  readonly llmId: number;
  /** Model id as the provider knows it. */
  readonly name: string;
  readonly model: ModelPort;
  readonly parameters: JsonObject;
  readonly costOf: LoopRules['costOf'];
}

/** Finds the fallback models of one scope. */
export abstract class FallbackModels {
  /** Null if the configuration is gone, inactive or not usable for this scope. */
  abstract find(llmId: number): Promise<FallbackModel | null>;
}
