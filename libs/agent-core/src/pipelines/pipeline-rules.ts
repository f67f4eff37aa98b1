import type { JsonObject } from '#libs/kernel';
import type { Pipeline, PipelineStep } from '#libs/policy';

/** A scope that runs as a pipeline: its rounds are the steps, and no model chooses the calls. */
export interface PipelineRules extends Omit<Pipeline, 'steps'> {
  readonly steps: readonly PipelineStep[];
  /** Values that prompts and answers may refer to besides step outputs; a model may read them. */
  readonly given: JsonObject;
  /** Values for tool arguments and conditions, which no model reads; default `given`. */
  readonly givenToTools?: JsonObject;
}
