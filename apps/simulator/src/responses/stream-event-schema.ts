import { z } from 'zod';
import { contentPartSchema, outputItemSchema, summaryPartSchema } from './output-item-schema.js';
import { responseSchema } from './response-schema.js';

const index = z.number().int().nonnegative();
const inItem = { item_id: z.string(), output_index: index };
const inContent = { ...inItem, content_index: index };
const inSummary = { ...inItem, summary_index: index };
/** Deltas have random padding unless `include_obfuscation` is false. */
const delta = { delta: z.string().min(1), obfuscation: z.string().exactOptional() };

function eventOf<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), sequence_number: index, ...shape });
}

const ofResponse = { response: responseSchema };
const ofItem = { output_index: index, item: outputItemSchema };

/** All streamed events, with exactly the fields of the real API. */
export const streamEventSchema = z.discriminatedUnion('type', [
  eventOf('response.created', ofResponse),
  eventOf('response.in_progress', ofResponse),
  eventOf('response.completed', ofResponse),
  eventOf('response.incomplete', ofResponse),
  eventOf('response.failed', ofResponse),
  eventOf('response.output_item.added', ofItem),
  eventOf('response.output_item.done', ofItem),
  eventOf('response.content_part.added', { ...inContent, part: contentPartSchema }),
  eventOf('response.content_part.done', { ...inContent, part: contentPartSchema }),
  eventOf('response.output_text.delta', { ...inContent, ...delta, logprobs: z.array(z.never()) }),
  eventOf('response.output_text.done', { ...inContent, text: z.string(), logprobs: z.array(z.never()) }),
  eventOf('response.refusal.delta', { ...inContent, ...delta }),
  eventOf('response.refusal.done', { ...inContent, refusal: z.string() }),
  eventOf('response.function_call_arguments.delta', { ...inItem, ...delta }),
  eventOf('response.function_call_arguments.done', { ...inItem, arguments: z.string() }),
  eventOf('response.reasoning_summary_part.added', { ...inSummary, part: summaryPartSchema }),
  eventOf('response.reasoning_summary_part.done', { ...inSummary, part: summaryPartSchema }),
  eventOf('response.reasoning_summary_text.delta', { ...inSummary, ...delta }),
  eventOf('response.reasoning_summary_text.done', { ...inSummary, text: z.string() }),
  eventOf('error', { code: z.string().nullable(), message: z.string(), param: z.string().nullable() }),
]);
export type StreamEvent = z.infer<typeof streamEventSchema>;

type WithoutNumber<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;
/** An event without its sequence number. */
export type UnnumberedEvent = WithoutNumber<StreamEvent>;

/** Whether the event ends the stream. */
export function isTerminal(type: string): boolean {
  return (
    type === 'response.completed' ||
    type === 'response.incomplete' ||
    type === 'response.failed' ||
    type === 'error'
  );
}
