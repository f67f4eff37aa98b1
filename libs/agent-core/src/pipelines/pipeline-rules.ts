import type { JsonObject } from '#libs/kernel';
import type { Pipeline, PipelineStep } from '#libs/policy';

/** What a pipeline is made of, where a scope is one: its rounds are its steps, and no model is asked for them. */
export interface PipelineRules extends Omit<Pipeline, 'steps'> {
  readonly steps: readonly PipelineStep[];
  /** What prompts and answers may refer to beside the outputs of steps: a model reads it. */
  readonly given: JsonObject;
  /** The same for arguments of tools and conditions, which no model reads; by default what models read. */
  readonly givenToTools?: JsonObject;
}
