import { z } from 'zod';
import { FUNCTION_NAME } from '../responses/request-schema.js';

const text = z.union([
  z.string(),
  z.array(z.strictObject({ type: z.literal('text'), text: z.string() })).min(1),
]);
const question = z.union([
  z.string(),
  z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('text'), text: z.string() }),
        z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: z.string() }) }),
        z.strictObject({
          type: z.literal('file'),
          file: z.strictObject({ filename: z.string(), file_data: z.string() }),
        }),
      ]),
    )
    .min(1),
]);
const callId = z.string().min(1).max(64);

const callSchema = z.strictObject({
  id: callId,
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().min(1).max(64).regex(FUNCTION_NAME), arguments: z.string() }),
});

/** A message of the conversation; fields for reasoning follow servers that send them. */
const messageSchema = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: text }),
  z.strictObject({ role: z.literal('developer'), content: text }),
  z.strictObject({ role: z.literal('user'), content: question }),
  z.strictObject({
    role: z.literal('assistant'),
    content: text.nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(callSchema).min(1).optional(),
    reasoning_content: z.string().optional(),
    reasoning: z.string().optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: callId, content: text }),
]);
export type ChatMessage = z.infer<typeof messageSchema>;

const toolSchema = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().min(1).max(64).regex(FUNCTION_NAME),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.json()).optional(),
    strict: z.boolean().nullish(),
  }),
});

const responseFormatSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string().min(1).max(64).regex(FUNCTION_NAME),
      schema: z.record(z.string(), z.json()),
      description: z.string().exactOptional(),
      strict: z.boolean().nullable().exactOptional(),
    }),
  }),
]);

/** Body of `POST /v1/chat/completions`, limited to texts and function tools. */
export const chatRequestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.number().int().min(1).nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
  seed: z.number().int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  n: z.literal(1).nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
  verbosity: z.enum(['low', 'medium', 'high']).nullish(),
  response_format: responseFormatSchema.nullish(),
  tools: z.array(toolSchema).min(1).max(128).nullish(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({ name: z.string().min(1) }),
      }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  user: z.string().max(128).nullish(),
});
export type ChatRequestBody = z.infer<typeof chatRequestSchema>;
