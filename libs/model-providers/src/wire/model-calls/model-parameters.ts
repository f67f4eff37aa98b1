import type { JsonValue } from '#libs/kernel';
import type { ModelParameter } from '#libs/payloads';

export const MIN_OUTPUT_TOKENS = 1;
export const MAX_OUTPUT_TOKENS = 128_000;
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export const REASONING_SUMMARIES = ['auto', 'concise', 'detailed'] as const;
export const VERBOSITIES = ['low', 'medium', 'high'] as const;
export const RESPONSE_FORMATS = ['text', 'json_schema'] as const;
const TOOL_CHOICES = ['auto', 'none', 'required'] as const;

export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];
export type ReasoningSummary = (typeof REASONING_SUMMARIES)[number];
export type Verbosity = (typeof VERBOSITIES)[number];

/** The nine parameters of every model (S1-15 … S1-23). Defaults are for forms: a request carries only given values. */
export const MODEL_PARAMETERS: readonly ModelParameter[] = [
  {
    name: 'max_output_tokens',
    label: 'Maximum output tokens',
    type: 'int',
    default: 8_192,
    min: MIN_OUTPUT_TOKENS,
    max: MAX_OUTPUT_TOKENS,
  },
  choice('reasoning_effort', 'Reasoning effort', 'medium', REASONING_EFFORTS),
  choice('reasoning_summary', 'Reasoning summary', 'auto', REASONING_SUMMARIES),
  choice('verbosity', 'Verbosity', 'medium', VERBOSITIES),
  choice('response_format', 'Response format', 'text', RESPONSE_FORMATS),
  { name: 'json_schema', label: 'JSON schema', type: 'text' },
  {
    name: 'tool_choice',
    label: 'Tool choice',
    type: 'string',
    default: 'auto',
    options: TOOL_CHOICES,
    open: true,
  },
  { name: 'parallel_tool_calls', label: 'Parallel tool calls', type: 'boolean', default: true },
  { name: 'enable_stream', label: 'Stream the answer', type: 'boolean', default: true },
];

/** Defaults of the nine parameters (S1-77), for forms and clients. */
export function defaultModelParameters(): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    MODEL_PARAMETERS.flatMap((parameter) =>
      'default' in parameter ? [[parameter.name, parameter.default]] : [],
    ),
  );
}

function choice(name: string, label: string, value: string, options: readonly string[]): ModelParameter {
  return { name, label, type: 'string', default: value, options, open: false };
}
