import { z } from 'zod';
import { outputFormatSchema, validationRulesSchema } from './ending.schema.js';
import { agentStepSchema } from './kinds/agent-step.schema.js';
import { branchStepSchema } from './kinds/branch-step.schema.js';
import { llmStepSchema } from './kinds/llm-step.schema.js';
import { mapStepSchema } from './kinds/map-step.schema.js';
import { toolStepSchema } from './kinds/tool-step.schema.js';

/** Steps of one pipeline. */
const MOST_STEPS = 32;

const stepSchema = z.discriminatedUnion(
  'kind',
  [llmStepSchema, toolStepSchema, agentStepSchema, branchStepSchema, mapStepSchema],
  { error: 'must be llm, tool, agent, branch or map' },
);
export type PipelineStep = z.infer<typeof stepSchema>;

/** What `config` of an agent of the type `CUSTOM` says of its pipeline (S3-7). */
export const pipelineSchema = z.object({
  steps: z.array(stepSchema).min(1).max(MOST_STEPS),
  output_format: outputFormatSchema.optional(),
  validation_rules: validationRulesSchema.optional(),
});
export type Pipeline = z.infer<typeof pipelineSchema>;

/** The keys of `config` that describe a pipeline; no model is given them. */
export const PIPELINE_KEYS: readonly string[] = ['steps', 'output_format', 'validation_rules'];
