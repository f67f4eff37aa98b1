import { z } from 'zod';
import { FUNCTION_NAME } from '../responses/request-schema.js';

const cached = {
  cache_control: z
    .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
    .nullish(),
};
const callId = z.string().regex(FUNCTION_NAME);
/** Blank texts are refused, as by the real API. */
const textBlock = z.strictObject({
  type: z.literal('text'),
  text: z.string().regex(/\S/, 'text content blocks must contain non-whitespace text'),
  ...cached,
});
const base64 = (types: z.ZodType<string>) =>
  z.strictObject({ type: z.literal('base64'), media_type: types, data: z.string().min(1) });
const imageBlock = z.strictObject({
  type: z.literal('image'),
  source: base64(z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])),
  ...cached,
});
const documentBlock = z.strictObject({
  type: z.literal('document'),
  source: base64(z.literal('application/pdf')),
  title: z.string().nullish(),
  ...cached,
});
const resultBlock = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: callId,
  content: z.union([z.string(), z.array(textBlock)]).optional(),
  is_error: z.boolean().optional(),
  ...cached,
});
const callBlock = z.strictObject({
  type: z.literal('tool_use'),
  id: callId,
  name: z.string().min(1).max(200).regex(FUNCTION_NAME),
  input: z.record(z.string(), z.json()),
  ...cached,
});
const thinkingBlock = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
});
const redactedBlock = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) });

const messageSchema = z.discriminatedUnion('role', [
  /** An instruction in the middle of a conversation. */
  z.strictObject({
    role: z.literal('system'),
    content: z.union([z.string().min(1), z.array(textBlock).min(1)]),
  }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([
      z.string().min(1),
      z.array(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, resultBlock])).min(1),
    ]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([
      z.string().min(1),
      z.array(z.discriminatedUnion('type', [textBlock, callBlock, thinkingBlock, redactedBlock])).min(1),
    ]),
  }),
]);
export type Turn = z.infer<typeof messageSchema>;

const choice = { disable_parallel_tool_use: z.boolean().optional() };
const toolChoiceSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto'), ...choice }),
  z.strictObject({ type: z.literal('any'), ...choice }),
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('tool'), name: z.string().min(1), ...choice }),
]);

const display = { display: z.enum(['summarized', 'omitted']).nullish() };
const thinkingSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('adaptive'), ...display }),
  z.strictObject({ type: z.literal('enabled'), budget_tokens: z.number().int().min(1_024), ...display }),
  z.strictObject({ type: z.literal('disabled') }),
  z.strictObject({ type: z.literal('between_tools') }),
]);

/** Body of `POST /v1/messages`, limited to texts, images, PDFs and tools of the client. */
export const messagesRequestSchema = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.number().int().min(1),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().optional(),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('custom').nullish(),
        name: z.string().min(1).max(128).regex(FUNCTION_NAME),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        strict: z.boolean().optional(),
        ...cached,
      }),
    )
    .optional(),
  tool_choice: toolChoiceSchema.optional(),
  thinking: thinkingSchema.optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z
        .strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.json()) })
        .nullish(),
    })
    .optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(0).optional(),
  stop_sequences: z.array(z.string().regex(/\S/)).optional(),
  metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).optional(),
});
export type MessagesRequestBody = z.infer<typeof messagesRequestSchema>;
