import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from '../json-schemas.js';
import { additionalDataSchema } from '../chat/additional-data.js';
import { EXECUTION_STATUSES, INCOMPLETE_REASONS } from './execution-status.js';

export const executionUsageSchema = z.object({
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  total_tokens: z.number().int(),
  total_cost_usd: z.string().describe('A decimal number as text.'),
});

/** A tool call that waits for a person's decision. */
export const pendingCallSchema = z.object({
  /** Names the call within its execution, e.g. `1.0`: round and place. */
  call: z.string(),
  tool_name: z.string(),
  tool_input: jsonValueSchema,
});
export type PendingCall = z.infer<typeof pendingCallSchema>;

/** An execution as the API, the `result` event and webhooks show it. */
export const executionViewSchema = z.object({
  id: z.uuid(),
  agent_id: z.number().int(),
  session_uuid: z.uuid(),
  turn_number: z.number().int(),
  status: z.enum(EXECUTION_STATUSES),
  attempt: z.number().int(),
  result: z
    .object({
      message: z.object({
        id: z.number().int(),
        role: z.literal('assistant'),
        content: z.string(),
        data: additionalDataSchema,
      }),
      citations: z.array(jsonValueSchema),
    })
    .nullable(),
  required_action: z.object({ calls: z.array(pendingCallSchema), expires_at: z.iso.datetime() }).nullable(),
  incomplete_details: z.object({ reason: z.enum(INCOMPLETE_REASONS) }).nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  usage: executionUsageSchema.nullable(),
  execution_metadata: jsonObjectSchema,
  metadata: z.record(z.string(), z.string()),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
});
export type ExecutionView = z.infer<typeof executionViewSchema>;
export type ExecutionUsage = z.infer<typeof executionUsageSchema>;
