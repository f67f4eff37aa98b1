import type { JsonObject } from '#libs/kernel';
import type { Pipeline, PipelineStep } from '#libs/policy';

/** What a pipeline is made of, where a scope is one: its rounds are its steps, and no model is asked for them. */
export interface PipelineRules extends Omit<Pipeline, 'steps'> {
  readonly steps: readonly PipelineStep[];
  /** What templates and conditions may refer to beside the outputs of steps. */
  readonly given: JsonObject;
}
