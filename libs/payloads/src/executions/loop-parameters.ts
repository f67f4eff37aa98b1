import { z } from 'zod';
import type { JsonObject } from '#libs/kernel';
import { READABLE_MEDIA } from '../attachments/attachment-reading.js';
import { parseBoolLike } from '../model-calls/bool-like.js';
import { InvalidModelParameterError } from '../model-calls/invalid-model-parameter-error.js';

/** Seconds: tokens of a request are kept for a day. */
const LONGEST_TOOL_WAIT = 86_400;

/** Tokens: less than a question and its answer is no conversation, more no model reads. */
const LEAST_HISTORY_TOKENS = 200;
const MOST_TOKENS = 10_000_000;
const LEAST_CONTEXT_SIZE = 1_000;

const tokens = (least: number) =>
  z
    .number(`a whole number of tokens from ${least} to ${MOST_TOKENS}`)
    .int('a whole number')
    .min(least, `at least ${least}`)
    .max(MOST_TOKENS, `at most ${MOST_TOKENS}`)
    .nullable()
    .default(null);

/** Takes the forms of S1-42. */
const boolLike = (field: string) =>
  z.unknown().transform((value, context): boolean => {
    try {
      return parseBoolLike(value, field);
    } catch (error) {
      if (!(error instanceof InvalidModelParameterError)) throw error;
      context.addIssue({ code: 'custom', message: 'true or false, also as 1, 0 or text', input: value });
      return z.NEVER;
    }
  });

/**
 * The parameters of an agent or of a request that steer the loop rather than the model (S1-57). Merged like all
 * others: `llm.extra` ← `agent.config` ← `request.options` (S3-26). Maxima of rounds and time are the operator's: the API
 * holds what is written to them, and what was accepted under a higher maximum still runs.
 */
export const loopParametersSchema = z.object({
  maximum_iterations: z.number('a number from 1').int('a whole number').min(1, 'at least 1').default(6),
  strategy: z
    .enum(['gpt5_function_calling', 'gpt5_react'], 'gpt5_function_calling or gpt5_react')
    .nullable()
    .default(null),
  emit_intermediate_thoughts: z.boolean('true or false').default(true),
  prompt_policy_overrides: z.string('a text').default(''),
  enable_stream: boolLike('enable_stream').default(true),
  /** Tools whose calls wait for a person, whatever the tools themselves say. */
  require_approval: z.array(z.string(), 'a list of tool names').default([]),
  /** Unsafe calls wait for a person once the model has read what somebody outside wrote. */
  require_approval_after_foreign_content: boolLike('require_approval_after_foreign_content').default(false),
  parallel_tool_calls: boolLike('parallel_tool_calls').default(true),
  /** Waits included; null: the service's own (`EXECUTION_TIMEOUT_SECONDS`). */
  timeout_seconds: z
    .number('a whole number from 1')
    .int('a whole number')
    .min(1, 'at least 1')
    .nullable()
    .default(null),
  /** By how much waits for tool servers may prolong that time, in seconds; the claims read it. */
  wait_for_tools_seconds: z
    .number(`a whole number from 0 to ${LONGEST_TOOL_WAIT}`)
    .int('a whole number')
    .min(0, 'at least 0')
    .max(LONGEST_TOOL_WAIT, `at most ${LONGEST_TOOL_WAIT}`)
    .default(0),
  /** Tokens of the conversation that are shown word by word; null: the service's own. */
  history_tokens: tokens(LEAST_HISTORY_TOKENS),
  /** Tokens that the model reads at once; null: what is known of it. */
  context_size: tokens(LEAST_CONTEXT_SIZE),
  /** What the model reads as it is of the files that come with a request; null: what is known of it. */
  native_media: z
    .array(z.enum(READABLE_MEDIA, 'image or pdf'), 'a list of image and pdf')
    .nullable()
    .default(null),
  /** The model of the same configuration that summarises conversations; null: the agent's own. */
  summary_model: z
    .string('the name of a model')
    .trim()
    .min(1, 'at least one character')
    .max(200, 'at most 200 characters')
    .nullable()
    .default(null),
});
export type LoopParameters = z.infer<typeof loopParametersSchema>;

/** The keys that steer the loop. */
export const LOOP_PARAMETER_NAMES: readonly string[] = Object.keys(loopParametersSchema.shape);

/** Shallow, the rightmost wins; none of the arguments is changed (S3-26, S3-38). */
export function mergeOptions(...layers: readonly JsonObject[]): JsonObject {
  return layers.reduce<JsonObject>((merged, layer) => ({ ...merged, ...withOneName(layer) }), {});
}

/** One parameter under two names would win by its name rather than by its place. */
function withOneName(options: JsonObject): JsonObject {
  const { max_tokens, ...rest } = options;
  if (max_tokens === undefined) return options;
  const given = rest['max_output_tokens'];
  const isGiven = given !== undefined && given !== null && given !== '';
  return isGiven ? rest : { ...rest, max_output_tokens: max_tokens };
}
