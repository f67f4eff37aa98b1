import { z } from 'zod';

/** Format documented by OpenAI. */
export const FUNCTION_NAME = /^[a-zA-Z0-9_-]+$/;

const metadataSchema = z
  .record(z.string().max(64), z.string().max(512))
  .refine((metadata) => Object.keys(metadata).length <= 16, 'at most 16 pairs are allowed');

/** A function tool, the only kind that this server supports. */
const functionToolSchema = z.strictObject({
  type: z.literal('function'),
  name: z.string().min(1).max(64).regex(FUNCTION_NAME),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.json()).nullish(),
  strict: z.boolean().nullish(),
});
export type FunctionTool = z.infer<typeof functionToolSchema>;

const toolSchema = z.discriminatedUnion('type', [functionToolSchema]);

export const toolChoiceSchema = z.union([
  z.enum(['auto', 'none', 'required']),
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('function'), name: z.string().min(1) }),
    z.strictObject({
      type: z.literal('allowed_tools'),
      mode: z.enum(['auto', 'required']),
      tools: z.array(z.record(z.string(), z.json())),
    }),
  ]),
]);
export type ToolChoice = z.infer<typeof toolChoiceSchema>;

export const textFormatSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: z.string().min(1).max(64).regex(FUNCTION_NAME),
    schema: z.record(z.string(), z.json()),
    description: z.string().exactOptional(),
    strict: z.boolean().nullable().exactOptional(),
  }),
]);
export type TextFormat = z.infer<typeof textFormatSchema>;

const reasoningSchema = z.strictObject({
  effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
  summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
  generate_summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
});

const includable = z.enum([
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
]);

/** Body of `POST /v1/responses`. Input items are validated separately by `parseInputItem`. */
export const responsesRequestSchema = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.unknown()).min(1)]),
  background: z.boolean().nullish(),
  conversation: z.union([z.string(), z.record(z.string(), z.json())]).nullish(),
  include: z.array(includable).nullish(),
  instructions: z.string().nullish(),
  max_output_tokens: z.number().int().min(16).nullish(),
  max_tool_calls: z.number().int().min(1).nullish(),
  metadata: metadataSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
  reasoning: reasoningSchema.nullish(),
  safety_identifier: z.string().max(128).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  text: z
    .strictObject({
      format: textFormatSchema.optional(),
      verbosity: z.enum(['low', 'medium', 'high']).nullish(),
    })
    .nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  tools: z.array(toolSchema).max(128).nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  user: z.string().max(128).nullish(),
});
export type ResponsesRequestBody = z.infer<typeof responsesRequestSchema>;
