import { z } from 'zod';
import { outputItemSchema } from './output-item-schema.js';
import { textFormatSchema, toolChoiceSchema } from './request-schema.js';

const tokenCount = z.number().int().nonnegative();

/** Tokens of one response; `cached_tokens` are included in the input, `reasoning_tokens` in the output. */
export const usageSchema = z.strictObject({
  input_tokens: tokenCount,
  input_tokens_details: z.strictObject({ cached_tokens: tokenCount, cache_write_tokens: tokenCount }),
  output_tokens: tokenCount,
  output_tokens_details: z.strictObject({ reasoning_tokens: tokenCount }),
  total_tokens: tokenCount,
});
export type Usage = z.infer<typeof usageSchema>;

/** A tool as the response repeats it, with defaults filled in. */
const echoedToolSchema = z.strictObject({
  type: z.literal('function'),
  description: z.string().nullable(),
  name: z.string(),
  parameters: z.record(z.string(), z.json()).nullable(),
  strict: z.boolean(),
});

/** Error codes of a failed response, limited to those possible without hosted tools. */
export const responseErrorCodeSchema = z.enum(['server_error', 'rate_limit_exceeded', 'invalid_prompt']);
export const incompleteReasonSchema = z.enum(['max_output_tokens', 'content_filter']);

/**
 * The Response object with every field that the real server sends for a response without hosted tools, and no others, so
 * that clients are tested against the real shape.
 */
export const responseSchema = z.strictObject({
  id: z.string().startsWith('resp_'),
  object: z.literal('response'),
  created_at: z.number().int(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
  access_programs: z.null(),
  background: z.boolean(),
  completed_at: z.number().int().nullable(),
  error: z.strictObject({ code: responseErrorCodeSchema, message: z.string() }).nullable(),
  incomplete_details: z.strictObject({ reason: incompleteReasonSchema }).nullable(),
  instructions: z.string().nullable(),
  max_output_tokens: z.number().int().nullable(),
  max_tool_calls: z.number().int().nullable(),
  model: z.string(),
  output: z.array(outputItemSchema),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
  reasoning: z.strictObject({
    effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullable(),
    summary: z.enum(['auto', 'concise', 'detailed']).nullable(),
  }),
  safety_identifier: z.string().nullable(),
  service_tier: z.literal('default'),
  store: z.boolean(),
  temperature: z.number(),
  text: z.strictObject({ format: textFormatSchema, verbosity: z.enum(['low', 'medium', 'high']) }),
  tool_choice: toolChoiceSchema,
  tools: z.array(echoedToolSchema),
  top_logprobs: z.number().int(),
  top_p: z.number(),
  truncation: z.enum(['auto', 'disabled']),
  /** Null while the response is in progress; a fault may omit it. */
  usage: usageSchema.nullable().exactOptional(),
  user: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
});
export type ResponseObject = z.infer<typeof responseSchema>;
