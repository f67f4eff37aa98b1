import type { JsonObject, JsonValue } from '#libs/kernel';
import { parseBoolLike } from './bool-like.js';
import { InvalidModelParameterError } from './invalid-model-parameter-error.js';
import { toJsonSchemaFormat, type JsonSchemaFormat } from './json-schema-format.js';
import * as known from './model-parameters.js';

/** Parameters that were given, checked; what was not given is `undefined`. */
export interface GivenParameters {
  readonly maxOutputTokens: number | undefined;
  readonly reasoningEffort: known.ReasoningEffort | undefined;
  readonly reasoningSummary: known.ReasoningSummary | undefined;
  readonly verbosity: known.Verbosity | undefined;
  readonly format: { readonly type: 'text' } | JsonSchemaFormat;
  readonly toolChoice: JsonValue | undefined;
  readonly parallelToolCalls: boolean | undefined;
  readonly enableStream: boolean;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly hasStop: boolean;
  readonly user: string | undefined;
}

/** The readers of single parameters; each takes them all and looks at its own. */
const READERS: {
  readonly [Name in keyof GivenParameters]: (parameters: JsonObject) => GivenParameters[Name];
} = {
  maxOutputTokens: (all) =>
    readOutputTokens(given(all['max_output_tokens']), 'max_output_tokens') ??
    readOutputTokens(given(all['max_tokens']), 'max_tokens'),
  reasoningEffort: (all) => readOption(all, 'reasoning_effort', known.REASONING_EFFORTS),
  reasoningSummary: (all) => readOption(all, 'reasoning_summary', known.REASONING_SUMMARIES),
  verbosity: (all) => readOption(all, 'verbosity', known.VERBOSITIES),
  format: (all) =>
    readOption(all, 'response_format', known.RESPONSE_FORMATS) === 'json_schema'
      ? toJsonSchemaFormat(all['json_schema'])
      : { type: 'text' },
  toolChoice: (all) => given(all['tool_choice']),
  parallelToolCalls: (all) => readFlag(all, 'parallel_tool_calls'),
  enableStream: (all) => readFlag(all, 'enable_stream') ?? true,
  temperature: (all) => readNumber(given(all['temperature']), 'temperature', 0, 2),
  topP: (all) => readNumber(given(all['top_p']), 'top_p', 0, 1),
  hasStop: (all) => hasStop(given(all['stop'])),
  user: (all) => readUser(given(all['user'])),
};

/** The keys that a model call understands. */
export const MODEL_PARAMETER_NAMES: readonly string[] = [
  ...known.MODEL_PARAMETERS.map((parameter) => parameter.name),
  ...['max_tokens', 'temperature', 'top_p', 'stop', 'user'],
];

/**
 * Reads what a model call understands of an agent's or a request's options: the nine parameters (S1-15 … S1-23),
 * `temperature`, `top_p`, `stop`, `user`, and `max_tokens` as another name of `max_output_tokens` (S3-7). Other keys are
 * ignored; a known key with a wrong value throws `InvalidModelParameterError`. `null` and `""` count as not given.
 */
export function readModelParameters(parameters: JsonObject): GivenParameters {
  const read = Object.entries(READERS).map(([name, reader]) => [name, reader(parameters)] as const);
  return Object.fromEntries(read) as unknown as GivenParameters;
}

/** Everything that `readModelParameters` would refuse, at most one fault for each parameter. */
export function findParameterFaults(parameters: JsonObject): InvalidModelParameterError[] {
  return Object.values(READERS).flatMap((reader) => {
    try {
      reader(parameters);
      return [];
    } catch (error) {
      if (error instanceof InvalidModelParameterError) return error;
      throw error;
    }
  });
}

function given(value: JsonValue | undefined): JsonValue | undefined {
  return value === null || value === '' ? undefined : value;
}

/** Unlike other parameters a flag has no empty form: `""` and `null` are errors (S1-42). */
function readFlag(parameters: JsonObject, field: string): boolean | undefined {
  const value = parameters[field];
  return value === undefined ? undefined : parseBoolLike(value, field);
}

function readOption<const Option extends string>(
  parameters: JsonObject,
  field: string,
  options: readonly Option[],
): Option | undefined {
  const value = given(parameters[field]);
  if (value === undefined) return undefined;
  const option = options.find((candidate) => candidate === value);
  if (option !== undefined) return option;
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  throw new InvalidModelParameterError(field, `unsupported ${field}: ${shown}`, options);
}

function readOutputTokens(value: JsonValue | undefined, field: string): number | undefined {
  if (value === undefined) return undefined;
  const tokens = Math.trunc(toInteger(value));
  if (tokens >= known.MIN_OUTPUT_TOKENS && tokens <= known.MAX_OUTPUT_TOKENS) return tokens;
  throw new InvalidModelParameterError(
    field,
    `${field} must be an integer between ${known.MIN_OUTPUT_TOKENS} and ${known.MAX_OUTPUT_TOKENS}`,
  );
}

/** Numbers as they are, text only when it spells an integer; everything else is not a number. */
function toInteger(value: JsonValue): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : Number.NaN;
}

function readNumber(
  value: JsonValue | undefined,
  field: string,
  min: number,
  max: number,
): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw new InvalidModelParameterError(field, `${field} must be a number between ${min} and ${max}`);
}

function hasStop(value: JsonValue | undefined): boolean {
  if (value === undefined) return false;
  if (typeof value === 'string') return true;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.length > 0;
  throw new InvalidModelParameterError('stop', 'stop must be a text or a list of texts');
}

function readUser(value: JsonValue | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new InvalidModelParameterError('user', 'user must be a text');
}
