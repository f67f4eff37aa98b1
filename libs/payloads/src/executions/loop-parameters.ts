import { z } from 'zod';
import type { JsonObject } from '#libs/kernel';
import { jsonObjectSchema } from '../json-schemas.js';

/**
 * The parameters of an agent or of a request that steer the loop rather than the model (S1-57). Merged like all
 * others: `llm.extra` ← `agent.config` ← `request.options` (S3-26).
 */
export const loopParametersSchema = z.object({
  maximum_iterations: z
    .number('a number from 1 to 30')
    .int('a whole number')
    .min(1, 'at least 1')
    .max(30, 'at most 30')
    .default(6),
  strategy: z
    .enum(['gpt5_function_calling', 'gpt5_react'], 'gpt5_function_calling or gpt5_react')
    .nullable()
    .default(null),
  emit_intermediate_thoughts: z.boolean('true or false').default(true),
  prompt_policy_overrides: z.string('a text').default(''),
  enable_stream: z.boolean('true or false').default(true),
  /** Tools whose calls wait for a person, whatever the tools themselves say. */
  require_approval: z.array(z.string(), 'a list of tool names').default([]),
  parallel_tool_calls: z.boolean('true or false').default(true),
});
export type LoopParameters = z.infer<typeof loopParametersSchema>;

/** Model parameters of any kind, of which those that steer the loop must be usable. */
export const optionsSchema = jsonObjectSchema.superRefine((options, context) => {
  const { error } = loopParametersSchema.safeParse(options);
  for (const issue of error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: issue.path, message: issue.message, input: options });
  }
});

/** Shallow, the rightmost wins; none of the arguments is changed (S3-26, S3-38). */
export function mergeOptions(
  llmExtra: JsonObject,
  agentConfig: JsonObject,
  requestOptions: JsonObject,
): JsonObject {
  return { ...llmExtra, ...agentConfig, ...requestOptions };
}
