import { isJsonObject, type JsonObject } from '#libs/kernel';
import { InvalidModelParameterError, type ModelParameter, type ParameterRules } from '#libs/payloads';
import { toJsonSchemaFormat } from '../model-calls/json-schema-format.js';
import { MODEL_PARAMETERS, VERBOSITIES } from '../model-calls/model-parameters.js';
import {
  findReaderFaults,
  given,
  readAll,
  readFlag,
  readInteger,
  readLimit,
  readNumber,
  readOption,
  readStop,
  readText,
  type ParameterReaders,
} from '../model-calls/parameter-readers.js';
import type { ChatRequest, ChatResponseFormat, ChatToolChoice } from './chat-request.js';

const TOOL_CHOICES = ['auto', 'none', 'required'] as const;
const RESPONSE_FORMATS = ['text', 'json_object', 'json_schema'] as const;
/** Upper bound above any model; only the server has its actual limit. */
const MAX_OUTPUT_TOKENS = 1_000_000;
/** Limits documented by the API. */
const MAX_STOPS = 4;
const MAX_PENALTY = 2;
const MAX_BIAS = 100;

/** Validated parameters; `undefined` for those not given. */
export interface GivenChatParameters {
  readonly maxOutputTokens: number | undefined;
  readonly reasoningEffort: string | undefined;
  /** Always undefined: this API has no such field, so a given value is refused. */
  readonly reasoningSummary: undefined;
  readonly verbosity: ChatRequest['verbosity'];
  readonly format: ChatResponseFormat | undefined;
  readonly toolChoice: ChatToolChoice | undefined;
  readonly parallelToolCalls: boolean | undefined;
  readonly enableStream: boolean;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly frequencyPenalty: number | undefined;
  readonly presencePenalty: number | undefined;
  readonly logitBias: Readonly<Record<string, number>> | undefined;
  readonly seed: number | undefined;
  readonly stop: readonly string[];
  readonly user: string | undefined;
}

const READERS: ParameterReaders<GivenChatParameters> = {
  maxOutputTokens: (all) =>
    readLimit(all, 'max_output_tokens', 1, MAX_OUTPUT_TOKENS) ??
    readLimit(all, 'max_tokens', 1, MAX_OUTPUT_TOKENS),
  reasoningEffort: readEffort,
  reasoningSummary: refuseSummary,
  verbosity: (all) => readOption(all, 'verbosity', VERBOSITIES),
  format: readFormat,
  toolChoice: readToolChoice,
  parallelToolCalls: (all) => readFlag(all, 'parallel_tool_calls'),
  enableStream: (all) => readFlag(all, 'enable_stream') ?? true,
  temperature: (all) => readNumber(all, 'temperature', 0, 2),
  topP: (all) => readNumber(all, 'top_p', 0, 1),
  frequencyPenalty: (all) => readNumber(all, 'frequency_penalty', -MAX_PENALTY, MAX_PENALTY),
  presencePenalty: (all) => readNumber(all, 'presence_penalty', -MAX_PENALTY, MAX_PENALTY),
  logitBias: readLogitBias,
  seed: (all) => readInteger(all, 'seed', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  stop: readStops,
  user: (all) => readText(all, 'user'),
};

/** Parameters of the Chat Completions API, with its limits (S3-27). */
export const chatParameters: ParameterRules = {
  names: [
    ...MODEL_PARAMETERS.map((parameter) => parameter.name),
    ...['max_tokens', 'temperature', 'top_p', 'frequency_penalty', 'presence_penalty', 'logit_bias'],
    ...['seed', 'stop', 'user'],
  ],
  described: describeParameters(),
  findFaults: (parameters) => findReaderFaults(READERS, parameters),
};

/**
 * Reads the Chat Completions parameters of an agent's or a request's options. Ignores other keys; throws
 * `InvalidModelParameterError` for a wrong value or a parameter that this API lacks. `null` and `""` count as not given.
 */
export function readChatParameters(parameters: JsonObject): GivenChatParameters {
  return readAll(READERS, parameters);
}

/** Accepts any single word, because servers differ in their values. */
function readEffort(all: JsonObject): string | undefined {
  const effort = readText(all, 'reasoning_effort');
  if (effort === undefined || /^[a-z_]{1,20}$/.test(effort)) return effort;
  throw new InvalidModelParameterError(
    'reasoning_effort',
    'reasoning_effort must be one word of lower-case letters, e.g. low, medium, high',
  );
}

function refuseSummary(all: JsonObject): undefined {
  if (given(all['reasoning_summary']) === undefined) return undefined;
  throw new InvalidModelParameterError(
    'reasoning_summary',
    'reasoning_summary is not supported by Chat Completions: leave it out',
  );
}

function readFormat(all: JsonObject): ChatResponseFormat | undefined {
  switch (readOption(all, 'response_format', RESPONSE_FORMATS)) {
    case 'json_object':
      return { type: 'json_object' };
    case 'json_schema': {
      const { name, schema, strict } = toJsonSchemaFormat(all['json_schema']);
      return { type: 'json_schema', json_schema: { name, schema, strict } };
    }
    default:
      return undefined;
  }
}

/** Accepts a word, a tool's name, or the object form of either API. */
function readToolChoice(all: JsonObject): ChatToolChoice | undefined {
  const value = given(all['tool_choice']);
  if (value === undefined) return undefined;
  if (typeof value === 'string') return TOOL_CHOICES.find((choice) => choice === value) ?? toolNamed(value);
  if (isJsonObject(value) && value['type'] === 'function') {
    const inner = value['function'];
    const name = isJsonObject(inner) ? inner['name'] : value['name'];
    if (typeof name === 'string' && name !== '') return toolNamed(name);
  }
  const words = TOOL_CHOICES.join(', ');
  throw new InvalidModelParameterError('tool_choice', `tool_choice must be ${words} or the name of a tool`);
}

function toolNamed(name: string): ChatToolChoice {
  return { type: 'function', function: { name } };
}

function readLogitBias(all: JsonObject): Readonly<Record<string, number>> | undefined {
  const value = given(all['logit_bias']);
  if (value === undefined) return undefined;
  const isUsable = (bias: unknown): boolean => typeof bias === 'number' && Math.abs(bias) <= MAX_BIAS;
  if (isJsonObject(value) && Object.values(value).every(isUsable)) return value as Record<string, number>;
  throw new InvalidModelParameterError(
    'logit_bias',
    `logit_bias must be an object of numbers between -${MAX_BIAS} and ${MAX_BIAS}`,
  );
}

function readStops(all: JsonObject): readonly string[] {
  const stop = readStop(all);
  if (stop.length <= MAX_STOPS) return stop;
  throw new InvalidModelParameterError('stop', `stop must be at most ${MAX_STOPS} texts`);
}

/** Parameters for forms: the shared ones with this API's limits, and its own. */
function describeParameters(): readonly ModelParameter[] {
  const shared = MODEL_PARAMETERS.filter(({ name }) => name !== 'reasoning_summary').map(
    (parameter): ModelParameter => {
      if (parameter.name === 'max_output_tokens' && parameter.type === 'int')
        return { ...parameter, max: MAX_OUTPUT_TOKENS };
      if (parameter.type !== 'string') return parameter;
      if (parameter.name === 'reasoning_effort') return { ...parameter, open: true };
      return parameter.name === 'response_format' ? { ...parameter, options: RESPONSE_FORMATS } : parameter;
    },
  );
  return [
    ...shared,
    { name: 'temperature', label: 'Temperature', type: 'float', min: 0, max: 2 },
    { name: 'top_p', label: 'Top P', type: 'float', min: 0, max: 1 },
    penalty('frequency_penalty', 'Frequency penalty'),
    penalty('presence_penalty', 'Presence penalty'),
  ];
}

function penalty(name: string, label: string): ModelParameter {
  return { name, label, type: 'float', min: -MAX_PENALTY, max: MAX_PENALTY };
}
