import { z } from 'zod';
import { outputFormatSchema, validationRulesSchema } from './ending.schema.js';
import { agentStepSchema } from './kinds/agent-step.schema.js';
import { branchStepSchema } from './kinds/branch-step.schema.js';
import { llmStepSchema } from './kinds/llm-step.schema.js';
import { mapStepSchema } from './kinds/map-step.schema.js';
import { toolStepSchema } from './kinds/tool-step.schema.js';

/** Maximum steps of one pipeline. */
const MAX_STEPS = 32;

const stepSchema = z.discriminatedUnion(
  'kind',
  [llmStepSchema, toolStepSchema, agentStepSchema, branchStepSchema, mapStepSchema],
  { error: 'must be llm, tool, agent, branch or map' },
);
export type PipelineStep = z.infer<typeof stepSchema>;

/** The pipeline in the `config` of an agent of the type `CUSTOM` (S3-7). */
export const pipelineSchema = z.object({
  steps: z.array(stepSchema).min(1).max(MAX_STEPS),
  output_format: outputFormatSchema.optional(),
  validation_rules: validationRulesSchema.optional(),
});
export type Pipeline = z.infer<typeof pipelineSchema>;

/** Keys of `config` that describe a pipeline; they are not sent to models as parameters. */
export const PIPELINE_KEYS: readonly string[] = ['steps', 'output_format', 'validation_rules'];
