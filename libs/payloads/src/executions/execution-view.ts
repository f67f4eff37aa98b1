import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from '../json-schemas.js';
import { additionalDataSchema } from '../chat/additional-data.js';
import { citationSchema } from '../retrieval/citation.js';
import { retrievalUsageSchema } from '../retrieval/retrieval-usage.js';
import { EXECUTION_STATUSES, INCOMPLETE_REASONS } from './execution-status.js';
import { requestViewSchema } from './request-view.js';
import { shownWaitSchema } from './waiting-for.js';

const tokens = z.number().int().nullable();

export const executionUsageSchema = z.object({
  input_tokens: tokens.describe('Input tokens of all model calls; null if no provider reported any.'),
  output_tokens: tokens.describe('Output tokens of all model calls; null if no provider reported any.'),
  total_tokens: tokens.describe('Sum of both; null if no provider reported any.'),
  unknown_calls: z
    .number()
    .int()
    .min(1)
    .exactOptional()
    .describe('Model calls without reported tokens, not included in the sums; absent if there are none.'),
  total_cost_usd: z
    .string()
    .nullable()
    .describe('Decimal number as text, in US dollars: the sum of known costs; null when no price is known.'),
  retrieval: retrievalUsageSchema
    .exactOptional()
    .describe(
      'For an agent that answers from documents (`RAG_CHAT`): the search that was made before its model was asked.',
    ),
});

/** A tool call that waits for a person's decision. */
export const pendingCallSchema = z.object({
  /** Name of the call within its execution: round and position, e.g. `1.0`, prefixed by its scope, e.g. `2.1:1.0`. */
  call: z.string(),
  scope: z
    .string()
    .optional()
    .describe('Scope of a call that a sub-agent made: `2.1` for the agent that round 2, position 1 called.'),
  asks: z
    .enum(['approval', 'outcome'])
    .describe(
      '`approval`: the call waits to be allowed. `outcome`: the call was begun and its outcome is unknown; a person says whether it happened.',
    ),
  reason: z
    .enum(['foreign_content'])
    .optional()
    .describe(
      'Reason why a call waits for approval that would not by itself. `foreign_content`: the model had read text of an outside source.',
    ),
  tool_name: z.string(),
  tool_input: jsonValueSchema,
});
export type PendingCall = z.infer<typeof pendingCallSchema>;

/** Outcome of a call that an attempt observed after it lost its lease. It decides nothing. */
export const lateEvidenceSchema = z.object({
  /** Epoch of the attempt; later attempts have higher numbers. */
  epoch: z.number().int(),
  status: z.enum(['succeeded', 'failed']),
  output: z.string().describe('The text that the model would have read, cut if it is long.'),
  observed_at: z.iso.datetime(),
});
export type LateEvidence = z.infer<typeof lateEvidenceSchema>;

const waitingCallSchema = pendingCallSchema.extend({
  late_evidence: z
    .array(lateEvidenceSchema)
    .optional()
    .describe('For a call of unknown outcome: evidence that arrived too late to settle it.'),
});

/** An execution as the API, the `result` event and webhooks show it. */
export const executionViewSchema = z.object({
  id: z.uuid(),
  agent_id: z.number().int(),
  agent_version: z
    .number()
    .int()
    .nullable()
    // Events stored by older releases lack this field.
    .default(null)
    .describe(
      'Version of the agent that runs: the one that the request names, otherwise the newest one at acceptance. Null for executions from releases without versions.',
    ),
  session_uuid: z.uuid(),
  turn_number: z.number().int(),
  status: z.enum(EXECUTION_STATUSES),
  attempt: z.number().int().describe('Number of attempts. Attempts that only waited do not count.'),
  result: z
    .object({
      message: z.object({
        id: z.number().int(),
        role: z.literal('assistant'),
        content: z.string(),
        data: additionalDataSchema,
        truncated: z
          .literal(true)
          .optional()
          .describe('True if the answer exceeded 1 MB and `content` was cut; otherwise absent.'),
      }),
      citations: z
        .array(citationSchema)
        .describe('Passages of documents that the answer is based on; empty if there are none.'),
    })
    .nullable(),
  required_action: z.object({ calls: z.array(waitingCallSchema), expires_at: z.iso.datetime() }).nullable(),
  waiting_for: shownWaitSchema
    .nullable()
    // Events stored by older releases lack this field.
    .default(null)
    .describe('What the execution waits for; null while it runs and after it ended.'),
  incomplete_details: z.object({ reason: z.enum(INCOMPLETE_REASONS) }).nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  usage: executionUsageSchema.nullable(),
  execution_metadata: jsonObjectSchema,
  metadata: z.record(z.string(), z.string()),
  created_at: z.iso.datetime(),
  started_at: z.iso
    .datetime()
    .nullable()
    .describe('Start of the first attempt that had all its tools; null before.'),
  finished_at: z.iso.datetime().nullable(),
  restored_at: z.iso
    .datetime()
    .nullable()
    // Events stored by older releases lack this field.
    .default(null)
    .describe(
      'The latest restore of the database from a backup while it was unsettled; null if there was none. Tool calls after the backup may have run twice, and its webhooks may come under two ids.',
    ),
});
export type ExecutionView = z.infer<typeof executionViewSchema>;

/** An execution with its request, as a read of one execution answers it. */
export const executionWithRequestSchema = executionViewSchema.extend(requestViewSchema.shape);
export type ExecutionWithRequest = z.infer<typeof executionWithRequestSchema>;

/** An execution in lists, without its answer. */
export const executionSummarySchema = executionWithRequestSchema.omit({ result: true });
export type ExecutionSummary = z.infer<typeof executionSummarySchema>;
export type ExecutionUsage = z.infer<typeof executionUsageSchema>;
