import type { JsonObject, JsonValue } from '#libs/kernel';
import type { ParameterRules } from '#libs/payloads';
import { toJsonSchemaFormat, type JsonSchemaFormat } from '../model-calls/json-schema-format.js';
import {
  findReaderFaults,
  given,
  readAll,
  readFlag,
  readLimit,
  readNumber,
  readOption,
  readStop,
  readText,
  type ParameterReaders,
} from '../model-calls/parameter-readers.js';
import * as known from '../model-calls/model-parameters.js';

/** Validated parameters; `undefined` for those not given. */
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

const READERS: ParameterReaders<GivenParameters> = {
  maxOutputTokens: (all) => readOutputTokens(all, 'max_output_tokens') ?? readOutputTokens(all, 'max_tokens'),
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
  temperature: (all) => readNumber(all, 'temperature', 0, 2),
  topP: (all) => readNumber(all, 'top_p', 0, 1),
  hasStop: (all) => readStop(all).length > 0,
  user: (all) => readText(all, 'user'),
};

/** Parameters of the Responses API. */
export const responsesParameters: ParameterRules = {
  names: [
    ...known.MODEL_PARAMETERS.map((parameter) => parameter.name),
    ...['max_tokens', 'temperature', 'top_p', 'stop', 'user'],
  ],
  described: known.MODEL_PARAMETERS,
  findFaults: (parameters) => findReaderFaults(READERS, parameters),
};

/**
 * Reads the Responses API parameters of an agent's or a request's options (S1-15 … S1-23, S3-7); `max_tokens` means
 * `max_output_tokens`. Ignores other keys; `null` and `""` count as not given. Throws `InvalidModelParameterError`.
 */
export function readModelParameters(parameters: JsonObject): GivenParameters {
  return readAll(READERS, parameters);
}

function readOutputTokens(parameters: JsonObject, field: string): number | undefined {
  return readLimit(parameters, field, known.MIN_OUTPUT_TOKENS, known.MAX_OUTPUT_TOKENS);
}
