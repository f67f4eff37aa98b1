import type { JsonObject } from '#libs/kernel';
import { z } from 'zod';
import { READABLE_MEDIA } from '../attachments/attachment-reading.js';
import { jsonObjectSchema } from '../json-schemas.js';
import {
  InvalidModelParameterError,
  type ParameterRules,
  parseBoolLike,
} from '../parameters/parameter-rules.js';

/** Seconds; the tokens of a request are stored for one day. */
const MAX_TOOL_WAIT = 86_400;

/** Tokens. Smaller values hold no question with its answer; larger ones exceed any model's context. */
const MIN_HISTORY_TOKENS = 200;
const MAX_TOKENS = 10_000_000;
const MIN_CONTEXT_SIZE = 1_000;
const MAX_FALLBACKS = 5;

const tokens = (least: number) =>
  z
    .number(`a whole number of tokens from ${least} to ${MAX_TOKENS}`)
    .int('a whole number')
    .min(least, `at least ${least}`)
    .max(MAX_TOKENS, `at most ${MAX_TOKENS}`)
    .nullable()
    .default(null);

/** Accepts the forms of S1-42. */
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
 * Parameters for the loop, not for the model (S1-57), merged as `llm.extra` ← `agent.config` ← `request.options` (S3-26).
 * The API enforces the operator's maxima of rounds and time only when it accepts options.
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
  /** Tools that require approval for every call, regardless of the tool's own setting. */
  require_approval: z.array(z.string(), 'a list of tool names').default([]),
  /** Requires approval of unsafe calls once the model has read third-party content. */
  require_approval_after_foreign_content: boolLike('require_approval_after_foreign_content').default(false),
  parallel_tool_calls: boolLike('parallel_tool_calls').default(true),
  /** Including waits; null for the service's default (`EXECUTION_TIMEOUT_SECONDS`). */
  timeout_seconds: z
    .number('a whole number from 1')
    .int('a whole number')
    .min(1, 'at least 1')
    .nullable()
    .default(null),
  /** Maximum extension of that time by waits for tool servers, in seconds; read at the claim. */
  wait_for_tools_seconds: z
    .number(`a whole number from 0 to ${MAX_TOOL_WAIT}`)
    .int('a whole number')
    .min(0, 'at least 0')
    .max(MAX_TOOL_WAIT, `at most ${MAX_TOOL_WAIT}`)
    .default(0),
  /** Tokens of the conversation shown word for word; null for the service's default. */
  history_tokens: tokens(MIN_HISTORY_TOKENS),
  /** Context size of the model in tokens; null for the known size. */
  context_size: tokens(MIN_CONTEXT_SIZE),
  /** Ids of model configurations that are asked, in order, while the own model cannot be reached. */
  fallbacks: z
    .array(
      z.number('the id of a model configuration').int('a whole number').min(1, 'at least 1'),
      'a list of ids',
    )
    .max(MAX_FALLBACKS, `at most ${MAX_FALLBACKS} ids`)
    .default([]),
  /** Longest wait that a rate limit asks for before a fallback is asked at once, in seconds. */
  fallback_after_seconds: z
    .number('a whole number from 0')
    .int('a whole number')
    .min(0, 'at least 0')
    .max(3_600, 'at most 3600')
    .default(30),
  /** Attached media that the model reads without conversion; null for the known ones. */
  native_media: z
    .array(z.enum(READABLE_MEDIA, 'image or pdf'), 'a list of image and pdf')
    .nullable()
    .default(null),
  /** Model of the same configuration that summarizes conversations; null for the agent's own. */
  summary_model: z
    .string('the name of a model')
    .trim()
    .min(1, 'at least one character')
    .max(200, 'at most 200 characters')
    .nullable()
    .default(null),
});
export type LoopParameters = z.infer<typeof loopParametersSchema>;

const LOOP_PARAMETER_NAMES: readonly string[] = Object.keys(loopParametersSchema.shape);

/** Shallow merge; the rightmost layer wins and no argument is changed (S3-26, S3-38). */
export function mergeOptions(...layers: readonly JsonObject[]): JsonObject {
  return layers.reduce<JsonObject>((merged, layer) => ({ ...merged, ...withOneName(layer) }), {});
}

/** Renames `max_tokens`, so that layers override each other by position and not by name. */
function withOneName(options: JsonObject): JsonObject {
  const { max_tokens, ...rest } = options;
  if (max_tokens === undefined) return options;
  const given = rest['max_output_tokens'];
  const isGiven = given !== undefined && given !== null && given !== '';
  return isGiven ? rest : { ...rest, max_output_tokens: max_tokens };
}

/** Validation error at a path in options. */
export interface OptionFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Keys of options that these model rules or the loop use. */
export function optionNames(rules: ParameterRules): readonly string[] {
  return [...new Set([...LOOP_PARAMETER_NAMES, ...rules.names, 'budget', 'memory'])];
}

/**
 * Free-form parameters. Those for the loop are validated here (3.F, S1-57); `findModelFaults` validates those for the
 * model, where its provider is known.
 */
export const optionsSchema = jsonObjectSchema.superRefine((options, context) => {
  for (const { path, message } of loopParametersSchema.safeParse(options).error?.issues ?? []) {
    context.addIssue({ code: 'custom', path: [...path], message, input: options });
  }
});

/**
 * Faults that the provider's request reader finds in a layer of options. Each parameter is validated alone; the response
 * format is validated over the layers `below`, since a schema and its request may be in different layers.
 */
export function findModelFaults(
  layer: JsonObject,
  below: readonly JsonObject[],
  rules: ParameterRules,
): OptionFault[] {
  const own = rules.findFaults(layer).filter((fault) => !isOfFormat(fault));
  const asksForFormat = 'response_format' in layer || 'json_schema' in layer;
  const format = asksForFormat ? rules.findFaults(mergeOptions(...below, layer)).filter(isOfFormat) : [];
  return [...own, ...format].map(toFault);
}

function isOfFormat({ field }: { readonly field: string }): boolean {
  return field.split('.')[0] === 'json_schema';
}

function toFault({ field, message, allowed }: InvalidModelParameterError): OptionFault {
  const choice = allowed === undefined ? '' : `; must be one of ${allowed.join(', ')}`;
  return { path: field.split('.'), message: message + choice };
}
