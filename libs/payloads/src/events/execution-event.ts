import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from '../json-schemas.js';
import { EXECUTION_STATUSES } from '../executions/execution-status.js';
import { executionResultSchema } from '../executions/execution-result.js';
import { pendingCallSchema } from '../executions/execution-view.js';
import { approvalDecidedSchema, outcomeDecidedSchema } from '../executions/taken-decision.js';
import { waitingEventSchema } from '../executions/waiting-for.js';

/** Scope of a sub-agent's event: its loop within the execution, and the call that started it. */
const ofScope = {
  scope: z
    .string()
    .optional()
    .describe(
      'Scope of the loop; absent at the root, `1.0` for the sub-agent called in round 1 at position 0.',
    ),
  parent_tool_use_id: z.string().optional(),
};

/** Data of all live events of an execution, by event name (S4-23 … S4-27, S4-36). */
export const executionEventDataSchemas = {
  session_start: z.object({ session_uuid: z.uuid(), execution_id: z.uuid(), turn_number: z.number().int() }),
  status: z.object({ status: z.enum(EXECUTION_STATUSES), attempt: z.number().int() }),
  text_delta: z.object({ content: z.string(), round: z.number().int(), ...ofScope }),
  thinking: z.object({ content: z.string(), round: z.number().int(), ...ofScope }),
  tool_use: z.object({
    tool_use_id: z.string(),
    tool_name: z.string(),
    tool_input: jsonValueSchema,
    round: z.number().int(),
    ...ofScope,
  }),
  tool_result: z.object({
    tool_use_id: z.string(),
    tool_name: z.string(),
    result: z.string(),
    is_error: z.boolean(),
    round: z.number().int(),
    ...ofScope,
  }),
  /** Progress of a long call, as its tool reports it; `done` and `total` are in the tool's own unit. */
  tool_progress: z.object({
    tool_use_id: z.string(),
    tool_name: z.string(),
    status: z.literal('running'),
    message: z.string().nullable(),
    done: z.number().nullable(),
    total: z.number().nullable(),
    round: z.number().int(),
    ...ofScope,
  }),
  /** Log entries ROUND, Thought and CALL, sent at begin and end under the same id (S0-8). */
  log: z.object({
    id: z.uuid(),
    label: z.string(),
    parent_id: z.uuid().nullable(),
    status: z.enum(['start', 'success', 'error']),
    error: z.string().nullable(),
    data: jsonObjectSchema,
    metadata: jsonObjectSchema,
    ...ofScope,
  }),
  /** File or link that a tool made for the user (S0-42): `type` link, image_link, image or blob. */
  file: z.looseObject({
    type: z.enum(['link', 'image_link', 'image', 'blob']),
    round: z.number().int(),
    ...ofScope,
  }),
  /** The sources that the request passed as context (S1-55). */
  retriever_resources: z.object({ retriever_resources: z.array(jsonObjectSchema), context: z.literal('') }),
  /**
   * The execution's current wait, sent when `waiting_for` changes while a worker runs it; pauses below one second are not
   * sent.
   */
  waiting: waitingEventSchema,
  /** Tool calls that wait for a person's approval. */
  approval_required: z.object({ calls: z.array(pendingCallSchema) }),
  /** Tool calls with unknown outcome, which a person must report. */
  outcome_required: z.object({ calls: z.array(pendingCallSchema) }),
  /** Decisions on such calls, sent when the execution resumes; repeated if the sending attempt died. */
  approval_decided: approvalDecidedSchema,
  outcome_decided: outcomeDecidedSchema,
  /** Another worker took over: clients must drop the partial text of `round` and later rounds. */
  attempt_restarted: z.object({ attempt: z.number().int(), round: z.number().int(), ...ofScope }),
  /** A fallback model is asked from `round` on; repeated if the sending attempt died. */
  model_switched: z.object({
    round: z.number().int(),
    from: z.string().describe('Model that is left.'),
    model: z.string().describe('Model that is asked from here on.'),
    reason: z.enum(['unavailable', 'breaker_open', 'rate_limited']),
    ...ofScope,
  }),
  /** An agent called by another one starts or stops; its answer is the result of the call. */
  subagent: z.object({
    action: z.enum(['start', 'stop']),
    agent_type: z.string(),
    description: z.string().optional().describe('With `start`: beginning of its input.'),
    status: z.enum(EXECUTION_STATUSES).optional().describe('With `stop`: status at its end.'),
    ...ofScope,
  }),
  /** A pipeline step was skipped by its condition or a branch. */
  step_skipped: z.object({ step: z.string(), because: z.enum(['condition', 'branch']), ...ofScope }),
  /** Events are missing here: the stream was unavailable or too slow for longer than they were buffered. */
  events_dropped: z.object({ count: z.number().int().min(1) }),
  error: z.object({ code: z.string(), message: z.string() }),
  /** Sent exactly once and last, unless it announces a title. */
  result: executionResultSchema,
  /** Follows the `result` of the execution that gives its session a title; then always the last event (S4-41). */
  title_generated: z.object({ title: z.string() }),
} as const;

export type ExecutionEventName = keyof typeof executionEventDataSchemas;
export type ExecutionEvent = {
  [Name in ExecutionEventName]: {
    readonly event: Name;
    readonly data: z.infer<(typeof executionEventDataSchemas)[Name]>;
  };
}[ExecutionEventName];

export function isLastEvent(event: ExecutionEvent): boolean {
  if (event.event === 'result') return !event.data.title_pending;
  return event.event === 'title_generated';
}

/** Event with its number in the execution's stream: 1, 2, 3 … without gaps. */
export type NumberedEvent = ExecutionEvent & { readonly id: number };
