import { z } from 'zod';

/**
 * `POST /v1/responses` as OpenAI's API reference publishes it, as far as a client with files and function tools can use
 * it. Written from that reference, not from the code under test; strict, because the API refuses unknown fields.
 */
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const id = z.string().min(1);
const wellFormed = z.string().refine((text) => text.isWellFormed() && !text.includes('\u0000'));
const jsonSchema = z.record(z.string(), z.json());

const inputMessage = z.strictObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'system', 'developer']),
  content: z.union([
    wellFormed,
    z
      .array(
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('input_text'), text: wellFormed }),
          z.strictObject({
            type: z.literal('input_image'),
            detail: z.enum(['low', 'high', 'auto']),
            image_url: z.string().startsWith('data:image/'),
          }),
          z.strictObject({
            type: z.literal('input_file'),
            filename: wellFormed,
            file_data: z.string().startsWith('data:application/pdf;base64,'),
          }),
        ]),
      )
      .nonempty(),
  ]),
});
const assistantMessage = z.strictObject({
  type: z.literal('message').optional(),
  role: z.literal('assistant'),
  content: wellFormed,
});
const functionCall = z.strictObject({
  type: z.literal('function_call'),
  call_id: id,
  name,
  arguments: wellFormed,
  id: id.optional(),
  status: z.enum(['in_progress', 'completed', 'incomplete']).optional(),
});
const functionCallOutput = z.strictObject({
  type: z.literal('function_call_output'),
  call_id: id,
  output: wellFormed,
});
const reasoningItem = z.strictObject({
  type: z.literal('reasoning'),
  id,
  summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
  content: z.array(z.strictObject({ type: z.literal('reasoning_text'), text: z.string() })).optional(),
  encrypted_content: z.string().nullish(),
  status: z.enum(['in_progress', 'completed', 'incomplete']).optional(),
});
const inputItem = z.union([inputMessage, assistantMessage, functionCall, functionCallOutput, reasoningItem]);

const functionTool = z.strictObject({
  type: z.literal('function'),
  name,
  description: z.string().nullish(),
  parameters: jsonSchema.nullable(),
  strict: z.boolean().nullish(),
});

const textFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name,
    schema: jsonSchema,
    description: z.string().optional(),
    strict: z.boolean().nullish(),
  }),
]);

export const officialRequestSchema = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(inputItem)]),
  include: z.array(z.enum(['reasoning.encrypted_content'])).nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z
    .strictObject({
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
      summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
    })
    .nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  text: z.strictObject({
    format: textFormat.optional(),
    verbosity: z.enum(['low', 'medium', 'high']).nullish(),
  }),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), z.strictObject({ type: z.literal('function'), name })])
    .optional(),
  tools: z.array(functionTool).max(128).optional(),
  top_p: z.number().min(0).max(1).nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  user: z.string().optional(),
});
