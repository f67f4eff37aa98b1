import { z } from 'zod';
import { MAX_DIMENSIONS } from '../embeddings/dimensions.js';

const milliseconds = z.number().int().min(0).max(3_600_000);
/** Number of whole events before the fault; by default half of them, or all but the terminal one for `truncate`. */
const afterEvents = z.number().int().min(0).optional();

/** `Retry-After`: seconds (any number, also negative), any text, or an HTTP date n seconds from now. */
const retryAfterSchema = z.union([
  z.number(),
  z.string().regex(/^[ -~]*$/),
  z.strictObject({ date_in_s: z.number() }),
]);
export type RetryAfter = z.infer<typeof retryAfterSchema>;

/** Faults that replace the answer: an error status, an unusable body, or no headers at all. */
const httpFaults = [
  z.strictObject({ kind: z.literal('rate_limited'), retry_after: retryAfterSchema.optional() }),
  z.strictObject({ kind: z.literal('insufficient_quota') }),
  z.strictObject({
    kind: z.literal('server_error'),
    status: z.literal([500, 502, 503, 504, 529]).default(500),
    body: z.enum(['json', 'html']).default('json'),
    retry_after: retryAfterSchema.optional(),
  }),
  z.strictObject({ kind: z.literal('request_timeout') }),
  z.strictObject({ kind: z.literal('conflict') }),
  z.strictObject({ kind: z.literal('unauthorized') }),
  z.strictObject({ kind: z.literal('forbidden') }),
  z.strictObject({ kind: z.literal('model_not_found') }),
  z.strictObject({ kind: z.literal('context_length_exceeded') }),
  z.strictObject({ kind: z.literal('html_page') }),
  z.strictObject({ kind: z.literal('empty_body') }),
  /** Delays the answer by `ms`; without it, hangs until the client disconnects. */
  z.strictObject({ kind: z.literal('hang_before_headers'), ms: milliseconds.optional() }),
  z.strictObject({ kind: z.literal('reset_before_headers') }),
] as const;
export type HttpFault = z.infer<(typeof httpFaults)[number]>;

/** Faults in the model's answer, sent over a correct transport. If the answer has no call, one is made up. */
const answerFaults = [
  z.strictObject({ kind: z.literal('usage'), mode: z.enum(['missing', 'null', 'inconsistent']) }),
  z.strictObject({
    kind: z.literal('response_failed'),
    code: z.enum(['server_error', 'rate_limit_exceeded', 'invalid_prompt']).default('server_error'),
    message: z.string().default('The model failed to generate a response.'),
  }),
  z.strictObject({
    kind: z.literal('response_incomplete'),
    reason: z.enum(['max_output_tokens', 'content_filter']).default('max_output_tokens'),
  }),
  z.strictObject({ kind: z.literal('duplicate_call_id') }),
  /** Reuses the id of an earlier call in the conversation; without one, the answer is unchanged. */
  z.strictObject({ kind: z.literal('reused_call_id') }),
  z.strictObject({ kind: z.literal('unknown_tool'), name: z.string().min(1).default('no_such_tool') }),
  z.strictObject({
    kind: z.literal('arguments'),
    value: z.enum([
      'empty',
      'array',
      'null',
      'invalid_json',
      'one_megabyte',
      'deep',
      'nul',
      'lone_surrogate',
      'lone_surrogate_escaped',
      'proto',
    ]),
  }),
  z.strictObject({ kind: z.literal('many_calls'), count: z.number().int().min(2).max(500).default(50) }),
  z.strictObject({ kind: z.literal('endless_tool_loop'), tool: z.string().min(1).optional() }),
  z.strictObject({
    kind: z.literal('refusal'),
    text: z.string().default("I'm sorry, but I can't help with that."),
  }),
  z.strictObject({
    kind: z.literal('slow'),
    headers_ms: milliseconds.default(0),
    delta_ms: milliseconds.default(0),
  }),
] as const;
export type AnswerFault = z.infer<(typeof answerFaults)[number]>;

/** Faults in the vectors of an embedding. */
const embeddingFaults = [
  z.strictObject({
    kind: z.literal('other_dimensions'),
    dimensions: z.number().int().min(1).max(MAX_DIMENSIONS).default(3),
  }),
] as const;
export type EmbeddingFault = z.infer<(typeof embeddingFaults)[number]>;

/** Faults in the transport of a correct answer; a blocking answer counts as one event. */
const streamFaults = [
  z.strictObject({
    kind: z.literal('hang_mid_stream'),
    after_events: afterEvents,
    ms: milliseconds.optional(),
  }),
  z.strictObject({
    kind: z.literal('slow_drip'),
    bytes: z.number().int().min(1).default(1),
    interval_ms: milliseconds.default(1000),
    comments: z.boolean().default(true),
  }),
  z.strictObject({ kind: z.literal('truncate'), after_events: afterEvents }),
  z.strictObject({ kind: z.literal('truncate_mid_event'), after_events: afterEvents }),
  z.strictObject({ kind: z.literal('reset_mid_event'), after_events: afterEvents }),
  z.strictObject({ kind: z.literal('split_utf8') }),
  z.strictObject({ kind: z.literal('split_events'), bytes: z.number().int().min(1).default(7) }),
  z.strictObject({ kind: z.literal('crlf') }),
  z.strictObject({ kind: z.literal('comments') }),
  z.strictObject({ kind: z.literal('done_marker') }),
  /** Answers a streaming request in one piece. */
  z.strictObject({ kind: z.literal('ignores_stream') }),
  /** Sends a terminal event with a response in another status. */
  z.strictObject({
    kind: z.literal('status_inside'),
    status: z.enum(['failed', 'cancelled', 'queued', 'in_progress', 'incomplete']).default('failed'),
  }),
  z.strictObject({ kind: z.literal('unknown_events'), every: z.number().int().min(1).default(1) }),
  z.strictObject({
    kind: z.literal('sequence_numbers'),
    mode: z.enum(['duplicate', 'out_of_order', 'gaps', 'missing']),
  }),
  z.strictObject({ kind: z.literal('invalid_json_event'), after_events: afterEvents }),
  z.strictObject({
    kind: z.literal('error_event'),
    after_events: afterEvents,
    code: z.string().nullable().default('server_error'),
    message: z.string().default('The server had an error while processing your request.'),
  }),
] as const;
export type StreamFault = z.infer<(typeof streamFaults)[number]>;

/** All faults, discriminated by `kind`. */
export const faultSchema = z.discriminatedUnion('kind', [
  ...httpFaults,
  ...answerFaults,
  ...embeddingFaults,
  ...streamFaults,
]);
export type Fault = z.infer<typeof faultSchema>;

/** Faults of one call by the layer they affect. */
export interface LayeredFaults {
  readonly http: readonly HttpFault[];
  readonly answer: readonly AnswerFault[];
  readonly embedding: readonly EmbeddingFault[];
  readonly stream: readonly StreamFault[];
}

const httpKinds = kindsOf(httpFaults);
const answerKinds = kindsOf(answerFaults);
const embeddingKinds = kindsOf(embeddingFaults);
const streamKinds = kindsOf(streamFaults);

export function layerFaults(faults: readonly Fault[]): LayeredFaults {
  return {
    http: faults.filter((fault): fault is HttpFault => httpKinds.has(fault.kind)),
    answer: faults.filter((fault): fault is AnswerFault => answerKinds.has(fault.kind)),
    embedding: faults.filter((fault): fault is EmbeddingFault => embeddingKinds.has(fault.kind)),
    stream: faults.filter((fault): fault is StreamFault => streamKinds.has(fault.kind)),
  };
}

function kindsOf(
  schemas: readonly { readonly shape: { readonly kind: { readonly value: string } } }[],
): ReadonlySet<string> {
  return new Set(schemas.map((schema) => schema.shape.kind.value));
}
