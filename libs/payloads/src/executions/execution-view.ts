import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from '../json-schemas.js';
import { additionalDataSchema } from '../chat/additional-data.js';
import { citationSchema } from '../retrieval/citation.js';
import { retrievalUsageSchema } from '../retrieval/retrieval-usage.js';
import { EXECUTION_STATUSES, INCOMPLETE_REASONS } from './execution-status.js';
import { requestViewSchema } from './request-view.js';
import { waitingForSchema } from './waiting-for.js';

const tokens = z.number().int().nullable();

export const executionUsageSchema = z.object({
  input_tokens: tokens.describe('Tokens that its models have read; null when no provider has said.'),
  output_tokens: tokens.describe('Tokens that its models have written; null when no provider has said.'),
  total_tokens: tokens.describe('Both together; null when no provider has said.'),
  unknown_calls: z
    .number()
    .int()
    .min(1)
    .exactOptional()
    .describe('Model calls of unknown tokens, which these sums leave out; absent when there is none.'),
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
  output: z.string().describe('The text that the model would have read, cut where it is long.'),
  observed_at: z.iso.datetime(),
});
export type LateEvidence = z.infer<typeof lateEvidenceSchema>;

const waitingCallSchema = pendingCallSchema.extend({
  late_evidence: z
    .array(lateEvidenceSchema)
    .optional()
    .describe('For a call whose outcome is asked for: evidence that came too late to decide it.'),
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
      'The version of the agent that it runs: the one that its request names, otherwise the newest one at its acceptance. Null of executions from before versions.',
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
          .describe('Only where the answer had more than 1 MB: `content` is its beginning.'),
      }),
      citations: z
        .array(citationSchema)
        .describe('The passages of documents that the answer was given with; empty where there were none.'),
    })
    .nullable(),
  required_action: z.object({ calls: z.array(waitingCallSchema), expires_at: z.iso.datetime() }).nullable(),
  waiting_for: waitingForSchema
    .nullable()
    // Events stored by older releases lack this field.
    .default(null)
    .describe('The reason why it is not getting further; null while it runs, and once it has ended.'),
  incomplete_details: z.object({ reason: z.enum(INCOMPLETE_REASONS) }).nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  usage: executionUsageSchema.nullable(),
  execution_metadata: jsonObjectSchema,
  metadata: z.record(z.string(), z.string()),
  created_at: z.iso.datetime(),
  started_at: z.iso
    .datetime()
    .nullable()
    .describe('The beginning of its first attempt that had all of its tools; null before.'),
  finished_at: z.iso.datetime().nullable(),
  restored_at: z.iso
    .datetime()
    .nullable()
    // Events stored by older releases lack this field.
    .default(null)
    .describe(
      'The latest restore of the database from a backup while it was unsettled; null where there was none. Tool calls after the backup may have run twice, and its webhooks may come under two ids.',
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
