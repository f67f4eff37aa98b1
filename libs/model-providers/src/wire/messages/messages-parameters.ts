import { isJsonObject, type JsonObject } from '#libs/kernel';
import { InvalidModelParameterError, type ModelParameter, type ParameterRules } from '#libs/payloads';
import { toJsonSchemaFormat, type JsonSchemaFormat } from '../model-calls/json-schema-format.js';
import {
  MAX_OUTPUT_TOKENS,
  MIN_OUTPUT_TOKENS,
  MODEL_PARAMETERS,
  REASONING_SUMMARIES,
  RESPONSE_FORMATS,
} from '../model-calls/model-parameters.js';
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
import type { MessagesToolChoice } from './messages-request.js';

const TOOL_CHOICES = ['auto', 'none', 'required'] as const;
export const MESSAGES_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export const PROMPT_CACHES = ['5m', '1h', 'off'] as const;
/** The API requires a limit: this one, if none is given, has room for reasoning. */
const DEFAULT_OUTPUT_TOKENS = 32_000;
const MAX_TOP_K = 500;

export type MessagesEffort = (typeof MESSAGES_EFFORTS)[number];
export type PromptCache = (typeof PROMPT_CACHES)[number];

/** Validated parameters; `undefined` for those not given. */
export interface GivenMessagesParameters {
  readonly maxOutputTokens: number;
  readonly effort: MessagesEffort | undefined;
  readonly showsThinking: boolean;
  /** Always undefined: this API has no such field, so a given value is refused. */
  readonly verbosity: undefined;
  /** Null for text. */
  readonly format: JsonSchemaFormat | null;
  readonly toolChoice: MessagesToolChoice | undefined;
  readonly isParallel: boolean;
  readonly enableStream: boolean;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly stop: readonly string[];
  readonly user: string | undefined;
  readonly cache: PromptCache;
}

const READERS: ParameterReaders<GivenMessagesParameters> = {
  maxOutputTokens: (all) =>
    readOutputTokens(all, 'max_output_tokens') ??
    readOutputTokens(all, 'max_tokens') ??
    DEFAULT_OUTPUT_TOKENS,
  effort: (all) => readOption(all, 'reasoning_effort', MESSAGES_EFFORTS),
  showsThinking: (all) => readOption(all, 'reasoning_summary', REASONING_SUMMARIES) !== undefined,
  verbosity: refuseVerbosity,
  format: (all) =>
    readOption(all, 'response_format', RESPONSE_FORMATS) === 'json_schema'
      ? toJsonSchemaFormat(all['json_schema'])
      : null,
  toolChoice: readToolChoice,
  isParallel: (all) => readFlag(all, 'parallel_tool_calls') ?? true,
  enableStream: (all) => readFlag(all, 'enable_stream') ?? true,
  temperature: (all) => readNumber(all, 'temperature', 0, 1),
  topP: (all) => readNumber(all, 'top_p', 0, 1),
  topK: (all) => readInteger(all, 'top_k', 1, MAX_TOP_K),
  stop: readStop,
  user: (all) => readText(all, 'user'),
  cache: (all) => readOption(all, 'prompt_cache', PROMPT_CACHES) ?? '5m',
};

/** Parameters of the Messages API, with its limits (S3-27). */
export const messagesParameters: ParameterRules = {
  names: [
    ...MODEL_PARAMETERS.map((parameter) => parameter.name),
    ...['max_tokens', 'temperature', 'top_p', 'top_k', 'stop', 'user', 'prompt_cache'],
  ],
  described: describeParameters(),
  findFaults: (parameters) => findReaderFaults(READERS, parameters),
};

/**
 * Reads the Messages API parameters of an agent's or a request's options. Ignores other keys; throws
 * `InvalidModelParameterError` for a wrong value or a parameter that this API lacks. `null` and `""` count as not given.
 */
export function readMessagesParameters(parameters: JsonObject): GivenMessagesParameters {
  return readAll(READERS, parameters);
}

function readOutputTokens(all: JsonObject, field: string): number | undefined {
  return readLimit(all, field, MIN_OUTPUT_TOKENS, MAX_OUTPUT_TOKENS);
}

function refuseVerbosity(all: JsonObject): undefined {
  if (given(all['verbosity']) === undefined) return undefined;
  throw new InvalidModelParameterError(
    'verbosity',
    'verbosity is not supported by the Messages API: leave it out',
  );
}

/** Accepts a word, a tool's name, or the object form of any API. */
function readToolChoice(all: JsonObject): MessagesToolChoice | undefined {
  const value = given(all['tool_choice']);
  if (value === undefined) return undefined;
  if (typeof value === 'string') return choiceOf(value);
  if (isJsonObject(value)) {
    const inner = isJsonObject(value['function']) ? value['function'] : value;
    const { name } = inner;
    const isNamed = value['type'] === 'function' || value['type'] === 'tool';
    if (isNamed && typeof name === 'string' && name !== '') return { type: 'tool', name };
  }
  const words = TOOL_CHOICES.join(', ');
  throw new InvalidModelParameterError('tool_choice', `tool_choice must be ${words} or the name of a tool`);
}

function choiceOf(word: string): MessagesToolChoice {
  switch (TOOL_CHOICES.find((choice) => choice === word)) {
    case 'auto':
      return { type: 'auto' };
    case 'none':
      return { type: 'none' };
    case 'required':
      return { type: 'any' };
    case undefined:
      return { type: 'tool', name: word };
  }
}

/** Parameters for forms: the shared ones with this API's values, and its own. */
function describeParameters(): readonly ModelParameter[] {
  const shared = MODEL_PARAMETERS.filter(({ name }) => name !== 'verbosity').map(
    (parameter): ModelParameter => {
      if (parameter.name === 'max_output_tokens' && parameter.type === 'int')
        return { ...parameter, default: DEFAULT_OUTPUT_TOKENS };
      return parameter.name === 'reasoning_effort' && parameter.type === 'string'
        ? { ...parameter, options: MESSAGES_EFFORTS }
        : parameter;
    },
  );
  return [
    ...shared,
    { name: 'temperature', label: 'Temperature', type: 'float', min: 0, max: 1 },
    { name: 'top_p', label: 'Top P', type: 'float', min: 0, max: 1 },
    {
      name: 'prompt_cache',
      label: 'How long the provider keeps the prompt',
      type: 'string',
      default: '5m',
      options: PROMPT_CACHES,
      open: false,
    },
  ];
}
