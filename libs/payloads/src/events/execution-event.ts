import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from '../json-schemas.js';
import { EXECUTION_STATUSES } from '../executions/execution-status.js';
import { executionResultSchema } from '../executions/execution-result.js';
import { pendingCallSchema } from '../executions/execution-view.js';
import { approvalDecidedSchema, outcomeDecidedSchema } from '../executions/taken-decision.js';
import { waitingEventSchema } from '../executions/waiting-for.js';

/** Of an event of a sub-agent: which loop of the execution it is of, and the call that it works for. */
const ofScope = {
  scope: z.string().optional().describe('Absent at the root, `1.0` for what round 1, position 0 called.'),
  parent_tool_use_id: z.string().optional(),
};

/** Everything a client can follow of an execution, by event name (S4-23 … S4-27, S4-36). */
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
  /** How far a call is that takes a while, in the words of its tool; `done` and `total` in a unit of its own. */
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
  /** ROUND, Thought and CALL, each at its beginning and at its end under the same id (S0-8). */
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
  /** Something a tool made for the user (S0-42): `type` link, image_link, image or blob. */
  file: z.looseObject({
    type: z.enum(['link', 'image_link', 'image', 'blob']),
    round: z.number().int(),
    ...ofScope,
  }),
  /** The sources that the run was given as context (S1-55). */
  retriever_resources: z.object({ retriever_resources: z.array(jsonObjectSchema), context: z.literal('') }),
  /** The wait of the execution, when `waiting_for` changes while a worker has it; pauses below a second bring none. */
  waiting: waitingEventSchema,
  /** Tool calls that a person has to agree to. */
  approval_required: z.object({ calls: z.array(pendingCallSchema) }),
  /** Tool calls of which nobody knows whether they happened: a person has to say. */
  outcome_required: z.object({ calls: z.array(pendingCallSchema) }),
  /** Decisions over such calls, when the execution goes on; again where the attempt that emitted them died at once. */
  approval_decided: approvalDecidedSchema,
  outcome_decided: outcomeDecidedSchema,
  /** A new worker took over: drop the partial text of `round` and of later ones. */
  attempt_restarted: z.object({ attempt: z.number().int(), round: z.number().int(), ...ofScope }),
  /** An agent that another one called begins, or has ended; what it answered is reported as the result of the call. */
  subagent: z.object({
    action: z.enum(['start', 'stop']),
    agent_type: z.string(),
    description: z.string().optional().describe('With `start`: how what it is asked begins.'),
    status: z.enum(EXECUTION_STATUSES).optional().describe('With `stop`: how it ended.'),
    ...ofScope,
  }),
  /** A step of a pipeline does not run: its condition does not hold, or a branch has led past it. */
  step_skipped: z.object({ step: z.string(), because: z.enum(['condition', 'branch']), ...ofScope }),
  /** Events are missing here: the stream was away, or too slow, for longer than they were kept. */
  events_dropped: z.object({ count: z.number().int().min(1) }),
  error: z.object({ code: z.string(), message: z.string() }),
  /** Exactly once, and the last one, unless it says that a title follows. */
  result: executionResultSchema,
  /** After the `result` of the execution that its session is named after; then always the last one (S4-41). */
  title_generated: z.object({ title: z.string() }),
} as const;

export type ExecutionEventName = keyof typeof executionEventDataSchemas;
export type ExecutionEvent = {
  [Name in ExecutionEventName]: {
    readonly event: Name;
    readonly data: z.infer<(typeof executionEventDataSchemas)[Name]>;
  };
}[ExecutionEventName];

/** Whether nothing follows it. */
export function isLastEvent(event: ExecutionEvent): boolean {
  if (event.event === 'result') return !event.data.title_pending;
  return event.event === 'title_generated';
}

/** An event with its place in the execution's stream: 1, 2, 3 … without gaps. */
export type NumberedEvent = ExecutionEvent & { readonly id: number };
