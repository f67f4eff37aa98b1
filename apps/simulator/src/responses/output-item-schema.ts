import { z } from 'zod';

const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']);

const index = z.number().int();
const range = { start_index: index, end_index: index };
/** Annotation of a range in the model's text. */
export const annotationSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('url_citation'), ...range, url: z.string(), title: z.string() }),
  z.strictObject({ type: z.literal('file_citation'), file_id: z.string(), filename: z.string(), index }),
  z.strictObject({
    ...{ type: z.literal('container_file_citation'), ...range },
    ...{ container_id: z.string(), file_id: z.string(), filename: z.string() },
  }),
]);
export type Annotation = z.infer<typeof annotationSchema>;

const outputTextSchema = z.strictObject({
  type: z.literal('output_text'),
  annotations: z.array(annotationSchema),
  logprobs: z.array(z.never()),
  text: z.string(),
});

const refusalSchema = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });

export const contentPartSchema = z.discriminatedUnion('type', [outputTextSchema, refusalSchema]);
export type ContentPart = z.infer<typeof contentPartSchema>;

export const summaryPartSchema = z.strictObject({ type: z.literal('summary_text'), text: z.string() });

export const outputMessageSchema = z.strictObject({
  id: z.string().startsWith('msg_'),
  type: z.literal('message'),
  status: itemStatus,
  content: z.array(contentPartSchema),
  role: z.literal('assistant'),
  phase: z.enum(['commentary', 'final_answer']).exactOptional(),
});
export type OutputMessage = z.infer<typeof outputMessageSchema>;

export const functionCallSchema = z.strictObject({
  id: z.string().startsWith('fc_'),
  type: z.literal('function_call'),
  status: itemStatus,
  arguments: z.string(),
  call_id: z.string().min(1),
  name: z.string().min(1),
});
export type FunctionCall = z.infer<typeof functionCallSchema>;

export const reasoningItemSchema = z.strictObject({
  id: z.string().startsWith('rs_'),
  type: z.literal('reasoning'),
  encrypted_content: z.string().exactOptional(),
  summary: z.array(summaryPartSchema),
});
export type ReasoningItem = z.infer<typeof reasoningItemSchema>;

/** Element of a response's `output`. */
export const outputItemSchema = z.discriminatedUnion('type', [
  outputMessageSchema,
  functionCallSchema,
  reasoningItemSchema,
]);
export type OutputItem = z.infer<typeof outputItemSchema>;
