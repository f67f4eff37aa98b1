import { z } from 'zod';
import { SWITCH_REASONS } from '#libs/agent-core';
import {
  digits,
  SETTLED_STATUSES,
  takenDecisionSchema,
  WAIT_KINDS,
  WEBHOOK_EVENT_TYPES,
  wholeNumber,
} from '#libs/payloads';
import { ATTEMPT_ENDS, WEBHOOK_DELIVERY_STATUSES } from '#libs/persistence';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { createZodDto } from '../http/zod-dto.js';
import { TIMELINE_EXAMPLE } from './timeline.examples.js';

const tokens = (of: string) =>
  z.int().nullable().describe(`${of} Null while the call runs, and if the provider did not report it.`);
const callSchema = z
  .string()
  .describe(
    'The call, as `required_action.calls` names it: round and position, e.g. `1.0`; `2.1:1.0` in a scope.',
  );

/** Fields of every entry; `status` is described for each kind. */
const common = {
  id: z.string().describe('Unique within the execution, and the same in every answer.'),
  scope: z
    .string()
    .describe(
      'Scope of the loop: empty at the root, `2.1` for the sub-agent called in round 2 at position 1.',
    ),
  parent_id: z
    .string()
    .nullable()
    .describe(
      'The entry that it belongs to: of a tool call the model call that asked for it, of an approval its tool call, of what happens in a sub-agent the tool call that runs it. Null at the top. The parent may be on an earlier page.',
    ),
  started_at: z.iso.datetime().nullable().describe('Null before it begins, or if the time is unknown.'),
  finished_at: z.iso.datetime().nullable().describe('Null before it ends, or if the time is unknown.'),
};

const attemptSchema = z.object({
  ...common,
  kind: z.literal('attempt'),
  status: z.enum(['running', 'ended']),
  started_at: z.iso.datetime(),
  number: z.int().describe('Number of the attempt, from 1.'),
  worker: z.string().describe('Worker process: host name, process id, and `#` with 8 random characters.'),
  end_reason: z
    .enum([...ATTEMPT_ENDS, ...SETTLED_STATUSES])
    .nullable()
    .describe(
      'The status that it settled the execution with; or `parked`: it waits for a person. `released`: its worker was asked to stop. `put_off`: its worker could not go on with it. `cut_off`: it was stopped before it could record what it was about. `postponed`: it waits for a tool server or a provider. `process_died`: the process of its own died. `lost`: its worker died, hung or was cut off; `finished_at` is when the next attempt began. Null while it runs, and where a release that did not record it has ended it.',
    ),
});

const modelCallSchema = z.object({
  ...common,
  kind: z.literal('model_call'),
  status: z
    .enum(['succeeded', 'failed', 'interrupted', 'lost', 'unknown'])
    .describe(
      '`interrupted`: ended by the deadline, a cancellation or the worker. `lost`: its worker died, and the call may have been made. `unknown`: a call outside the loop that is running or was lost.',
    ),
  purpose: z
    .string()
    .describe(
      '`round`: a round of the loop; otherwise a call outside it, such as `title`, `summary`, `memory` or `embedding`, with the times of its record.',
    ),
  round: z.int().nullable().describe('Round within its scope, from 1; null outside the loop.'),
  try_number: z.int().nullable().describe('Try within the round, from 1; null for older releases.'),
  model: z.string().nullable().describe('Model id of the provider; null if unknown.'),
  input_tokens: tokens('Input tokens, cached ones included.'),
  cached_input_tokens: tokens('Input tokens from the provider’s cache.'),
  output_tokens: tokens('Output tokens, reasoning included.'),
  cost_usd: z
    .string()
    .nullable()
    .describe(
      'Decimal number as text, in US dollars; null if the price or the tokens are unknown, and at the root until the execution has ended.',
    ),
  first_byte_ms: z
    .int()
    .nullable()
    .describe(
      'Milliseconds from its start to the first part of the answer; null without an answer, and for older releases.',
    ),
  error_code: z.string().nullable().describe('Null unless it failed.'),
});

const modelSwitchSchema = z.object({
  ...common,
  kind: z.literal('model_switch'),
  status: z.enum(['switched', 'none_left']).describe('`none_left`: no fallback model was usable.'),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().describe('As `started_at`.'),
  round: z.int().describe('Round within its scope from which on the fallback model is asked, from 1.'),
  model: z.string().nullable().describe('The fallback model; null for `none_left`.'),
  reason: z
    .enum(SWITCH_REASONS)
    .describe(
      '`unavailable`: all tries of the model before it failed. `breaker_open`: its host does not answer and is not asked. `rate_limited`: its provider asks for a wait beyond `fallback_after_seconds`.',
    ),
});

const toolCallSchema = z.object({
  ...common,
  kind: z.literal('tool_call'),
  status: z
    .enum(['requested', 'started', 'succeeded', 'failed', 'refused', 'outcome_unknown'])
    .describe(
      '`requested`: it has not begun. `refused`: it never ran. `outcome_unknown`: it may have taken effect.',
    ),
  call: callSchema,
  call_id: z.string().describe('Id of the call from the model.'),
  tool_name: z.string(),
  round: z.int().describe('Round within its scope, from 1.'),
  position: z.int().describe('Position within its round, from 0.'),
  effect: z
    .enum(['read', 'idempotent', 'unsafe'])
    .nullable()
    .describe(
      'Effect that the tool declares; null before the call begins, and for calls from older releases.',
    ),
  attempt: z.int().nullable().describe('Attempt that last recorded it; null before it begins.'),
  step: z.string().nullable().describe('Pipeline step that makes the call; null if a model does.'),
});

const approvalSchema = z.object({
  ...common,
  kind: z.literal('approval'),
  status: z
    .enum(['pending', 'decided', 'withdrawn'])
    .describe('`withdrawn`: the execution stopped waiting before a person decided.'),
  started_at: z.iso.datetime().describe('Time of the request for a decision.'),
  finished_at: z.iso.datetime().nullable().describe('Time of the decision; null without one.'),
  call: callSchema,
  asks: z
    .enum(['approval', 'outcome'])
    .describe(
      '`approval`: whether the call may run. `outcome`: whether a call with an unknown outcome took effect.',
    ),
  decision: z
    .enum(['approved', 'refused', 'happened', 'did_not_happen', 'unknown'])
    .nullable()
    .describe('Null without a decision.'),
  decided_by: takenDecisionSchema.shape.decided_by.describe(
    'Null without a decision, after a timeout, and for decisions from older releases.',
  ),
  expires_at: z.iso.datetime().nullable().describe('Deadline of the decision; null unless pending.'),
});

const waitSchema = z.object({
  ...common,
  kind: z.literal('wait'),
  status: z.enum(['waiting', 'over']),
  started_at: z.iso.datetime(),
  reason: z
    .enum(WAIT_KINDS)
    .describe(
      'As `waiting_for.kind` of the execution. Of waits that are over, only the first ones are kept, for the conversation and for a worker; those for people are approvals.',
    ),
  name: z.string().nullable().describe('The tool server, model, tool or session; null if it has no name.'),
  next_try_at: z.iso
    .datetime()
    .nullable()
    .describe('Earliest time of the next try; null if something else ends the wait.'),
  message: z.string().describe('The reason, for people. At most 500 characters, without secrets.'),
});

const webhookDeliverySchema = z.object({
  ...common,
  kind: z.literal('webhook_delivery'),
  status: z
    .enum(WEBHOOK_DELIVERY_STATUSES)
    .describe(
      '`exhausted`: nothing is sent any more, since every attempt failed or the endpoint is disabled.',
    ),
  started_at: z.iso.datetime().describe('Creation time of the delivery.'),
  finished_at: z.iso.datetime().nullable().describe('Time of the last success; null before.'),
  delivery_id: z.string().describe('`evt_…`, as at `/api/webhook-deliveries/`, where its attempts are.'),
  event_type: z.enum(WEBHOOK_EVENT_TYPES),
  attempt_count: z.int().describe('Number of requests sent.'),
});

const timelineEntrySchema = z.discriminatedUnion('kind', [
  attemptSchema,
  modelCallSchema,
  modelSwitchSchema,
  toolCallSchema,
  approvalSchema,
  waitSchema,
  webhookDeliverySchema,
]);

export class TimelinePageDto extends createZodDto(
  pageSchema(timelineEntrySchema),
  pageExample(...TIMELINE_EXAMPLE),
) {}

/** Key of an entry in a cursor: the fact that it stands at, and its number there. */
const placeSchema = z
  .string()
  .regex(/^\d{1,9}\.\d{1,5}$/)
  .transform((key) => {
    const [sequence = 0, count = 0] = key.split('.').map(Number);
    return { sequence, count };
  });

/** Entries hold no contents, so that a page can hold more of them than of other things. */
const MAX_ENTRIES = 500;

export class TimelineQuery extends createZodDto(
  pageQuerySchema(placeSchema).extend({
    limit: digits(wholeNumber(1, MAX_ENTRIES))
      .default(20)
      .describe(`Maximum number of entries in a page, at most ${MAX_ENTRIES}; a page also ends at 1 MB.`),
  }),
) {}
