import { z } from 'zod';
import { faultRuleSchema } from '../../faults/fault-rule.js';
import { annotationSchema } from '../../responses/output-item-schema.js';
import { incompleteReasonSchema, responseErrorCodeSchema } from '../../responses/response-schema.js';

const milliseconds = z.number().int().min(0).max(3_600_000);
const tokens = z.number().int().min(0);

const callSchema = z.strictObject({
  name: z.string().min(1),
  /** JSON, or text that is sent unchanged even if it is invalid JSON. */
  arguments: z.union([z.string(), z.record(z.string(), z.json())]).default({}),
  call_id: z.string().min(1).optional(),
});

const outputSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('reasoning'),
    summary: z.array(z.string()).default([]),
    thought: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('text'),
    text: z.string(),
    phase: z.enum(['commentary', 'final_answer']).optional(),
    annotations: z.array(annotationSchema).optional(),
  }),
  z.strictObject({ type: z.literal('refusal'), refusal: z.string() }),
  callSchema.extend({ type: z.literal('call') }),
]);

/** One scripted answer. `reasoning`, `text` and `calls` are the short form; `output` allows any order of items. */
export const scriptedAnswerSchema = z
  .strictObject({
    reasoning: z.union([z.string(), z.array(z.string())]).optional(),
    text: z.union([z.string(), z.array(z.string())]).optional(),
    calls: z.array(callSchema).optional(),
    output: z.array(outputSchema).optional(),
    latency: z
      .strictObject({ headers_ms: milliseconds.default(0), delta_ms: milliseconds.default(0) })
      .optional(),
    delta_characters: z.number().int().min(1).max(100_000).optional(),
    /** Null sends `usage: null`. */
    usage: z
      .strictObject({
        input_tokens: tokens.optional(),
        cached_tokens: tokens.optional(),
        output_tokens: tokens.optional(),
        reasoning_tokens: tokens.optional(),
      })
      .nullable()
      .optional(),
    end: z
      .discriminatedUnion('status', [
        z.strictObject({ status: z.literal('completed') }),
        z.strictObject({ status: z.literal('incomplete'), reason: incompleteReasonSchema }),
        z.strictObject({
          status: z.literal('failed'),
          code: responseErrorCodeSchema.default('server_error'),
          message: z.string().default('The model failed to generate a response.'),
        }),
      ])
      .optional(),
    /**
     * Faults of this answer only; `on.call` counts the calls for it, so `{"call": 1}` hits the first try and not its retry.
     */
    faults: z.array(faultRuleSchema).default([]),
  })
  .refine((answer) => answer.output === undefined || answer.text === undefined, '"output" excludes "text"');
export type ScriptedAnswer = z.infer<typeof scriptedAnswerSchema>;

const scriptShape = {
  answers: z.array(scriptedAnswerSchema).min(1).max(2000),
  /** Behaviour after the last answer: an error (default), or repetitions of that answer. */
  then: z.enum(['error', 'repeat_last']).default('error'),
  /** Faults for every call that this script answers. */
  faults: z.array(faultRuleSchema).default([]),
};

/** The script inside a user's message; `key` assigns its requests to that key. */
export const scriptBlockSchema = z.strictObject({
  key: z.string().min(1).max(200).optional(),
  ...scriptShape,
});
export type ScriptBlock = z.infer<typeof scriptBlockSchema>;

/**
 * A script posted to the control endpoint. It answers requests of its key in which the last user text includes `contains`.
 */
export const postedScriptSchema = z.strictObject({
  key: z.string().min(1).max(200).optional(),
  contains: z.string().min(1).optional(),
  /**
   * `round`: answer n is the n-th since the user's last message, so a retry gets the same answer. `call`: each request gets
   * the next answer.
   */
  order: z.enum(['round', 'call']).default('round'),
  ...scriptShape,
});
export type PostedScript = z.infer<typeof postedScriptSchema>;
