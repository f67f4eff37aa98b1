import { z } from 'zod';
import { parseCallName } from '#libs/agent-core';
import { isJsonObject, type JsonValue } from '#libs/kernel';
import {
  executeRequestSchema,
  executionSummarySchema,
  executionViewSchema,
  executionWithRequestSchema,
  jsonObjectSchema,
  jsonValueSchema,
  lateEvidenceSchema,
  takenDecisionSchema,
} from '#libs/payloads';
import { domains } from '../domains.js';
import { cursorSchema, pageExample, pageSchema } from '../http/page.js';
import { eventNumberSchema, limitSchema, uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';
import {
  DECISIONS_EXAMPLE,
  EXECUTE_REQUEST_EXAMPLE,
  EXECUTION_WITH_REQUEST_EXAMPLE,
  executionExample,
  RUN_STEP_EXAMPLE,
} from './executions.examples.js';

const inputSchema = executeRequestSchema.shape.input.optional();
const fieldsSchema = executeRequestSchema.extend({
  input: inputSchema.describe('Message of the user to the agent. Required, unless `user_input` is given.'),
  user_input: inputSchema.describe('Alias of `input` (S4-1). Send only one of them.'),
  additional_data: domains.messageData.input
    .default({})
    .describe(
      'Data of the front end, kept with the user’s message and answered with it. The loaded domains declare the keys; where none declares any, it is an object of at most 64 kB that no model reads.',
    ),
});
const requestSchema = fieldsSchema
  .refine(({ input, user_input: other }) => input !== undefined || other !== undefined, {
    ...{ path: ['input'], error: 'input is required' },
    // The check also runs when other fields are at fault, so that all faults are reported at once.
    when: ({ value }) => isJsonObject(value as JsonValue),
  })
  .refine(({ input, user_input: other }) => input === undefined || other === undefined, {
    ...{ path: ['user_input'], error: 'must not be there together with `input`: it is another name of it' },
  })
  .refine(({ session_uuid: uuid, session_metadata: pairs }) => uuid === undefined || pairs === undefined, {
    path: ['session_metadata'],
    error: 'must not be there together with `session_uuid`: PATCH /api/sessions/{uuid}/ changes them',
  })
  .transform(({ input, user_input: other, ...rest }) => ({ ...rest, input: input ?? other ?? '' }));
export class ExecuteRequestDto extends createZodDto(requestSchema, EXECUTE_REQUEST_EXAMPLE) {}

/** Tokens to supply again for a retry, and the confirmation to retry a completed execution. */
const retryRequestSchema = executeRequestSchema.pick({ tokens: true }).extend({
  even_if_completed: z
    .boolean('must be true or false')
    .default(false)
    .describe(
      '`true`: also retry a completed execution; otherwise that is refused with 409 `ALREADY_COMPLETED`.',
    ),
});
export class RetryRequestDto extends createZodDto(retryRequestSchema, {
  tokens: { crm: 'a secret of the CRM' },
  even_if_completed: false,
}) {}

/** An execution, from accepted to settled. */
export class ExecutionDto extends createZodDto(executionViewSchema, executionExample('completed')) {}
/** An execution as it is read by itself. */
export class ExecutionWithRequestDto extends createZodDto(
  executionWithRequestSchema,
  EXECUTION_WITH_REQUEST_EXAMPLE,
) {}
/** Lists omit `result`, which is read at `/api/executions/{id}/`. */
export class ExecutionPageDto extends createZodDto(
  pageSchema(executionSummarySchema),
  pageExample(executionSummarySchema.parse(EXECUTION_WITH_REQUEST_EXAMPLE)),
) {}

/** The answer to a submit, with or without waiting; includes the fields of S3-20 once there is a result. */
export const submittedExecutionSchema = executionViewSchema.extend({
  execution_id: z.uuid().describe('The same as `id`.'),
});
export class SubmittedExecutionDto extends createZodDto(submittedExecutionSchema, {
  ...executionExample('completed'),
  execution_id: executionExample('completed').id,
}) {}

export class ExecutionIdParams extends createZodDto(
  z.object({ id: uuidSchema.describe('The id of the execution.') }),
) {}

export class EventsQuery extends createZodDto(
  z.strictObject({
    after: eventNumberSchema
      .optional()
      .describe('Same as the header `Last-Event-ID`, which takes precedence.'),
    stream_token: z
      .string()
      .optional()
      .describe('Stream token in place of `Authorization`, for the `EventSource` of a browser.'),
  }),
) {}

const runStepSchema = z.object({
  scope: z
    .string()
    .describe(
      'Scope of the loop that made the call: empty at the root, `2.1` for the sub-agent called in round 2 at position 1.',
    ),
  round: z.int(),
  position: z.int(),
  attempt: z.int(),
  call_id: z.string(),
  tool_name: z.string(),
  input: jsonValueSchema.describe('Arguments of the call; a string if they are not a JSON object.'),
  sent_input: z
    .string()
    .nullable()
    .describe(
      'The arguments as the model wrote them, at most 4,000 characters; null if they needed no repair.',
    ),
  output: jsonValueSchema.describe(
    'A FunctionCallResult, null while the call runs. For tools that return text, `result.text` is the text that the model read, as JSON if it is JSON.',
  ),
  status: z
    .enum(['started', 'skipped', 'succeeded', 'failed', 'refused', 'outcome_unknown'])
    .describe(
      '`failed`: the tool threw, or answered an error. `skipped`: a step of a pipeline that did not run; `output.because` says why.',
    ),
  error: z.string().nullable(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  decisions: z
    .array(takenDecisionSchema)
    .describe('Decisions of people on the call, oldest first; empty if there are none.'),
  late_evidence: z
    .array(lateEvidenceSchema.extend({ error: z.string().nullable() }))
    .describe('Outcomes reported by attempts that had already lost the execution. They have no effect.'),
});
/** Audit rows of an execution: every tool call with input, output and times (S2-31). */
export class RunStepPageDto extends createZodDto(pageSchema(runStepSchema), pageExample(RUN_STEP_EXAMPLE)) {}

/** Outputs of pipeline steps, which later steps read (S2-25). */
export class WorkingMemoryDto extends createZodDto(
  z.object({
    working_memory: jsonObjectSchema.describe('Outputs of finished steps, by step name.'),
  }),
  { working_memory: { extract: { items: [{ name: 'roma tomatoes', quantity: 5 }] } } },
) {}

/** Key of a step in a cursor: scope, round and position. */
const stepKeySchema = z
  .string()
  .regex(/^([\d./]{1,100}:)?\d{1,9}\.\d{1,9}$/)
  .transform(parseCallName);

export class RunStepListQuery extends createZodDto(
  z.strictObject({
    limit: limitSchema.optional().describe('Maximum number of items; by default as many as 1 MB holds.'),
    cursor: cursorSchema(stepKeySchema).optional().describe('`next_cursor` of the previous page.'),
    call: stepKeySchema
      .optional()
      .describe(
        'Only the step of this call, as the timeline names it: round and position, e.g. `1.0`; `2.1:1.0` in a scope.',
      ),
  }),
) {}

const decisionSchema = z
  .strictObject({
    call: z
      .string()
      .regex(
        /^(\d{1,3}\.\d{1,4}(\/\d{1,3}\.\d{1,4}){0,3}:)?\d{1,3}\.\d{1,4}$/,
        'must be the `call` of a waiting tool call, e.g. "1.0", or "2.1:1.0" of a sub-agent',
      )
      .describe('The call, as named in `required_action.calls`.'),
    approved: z
      .boolean('must be true or false')
      .optional()
      .describe('For a call that asks for `approval`: whether it may run.'),
    outcome: z
      .enum(['happened', 'did_not_happen', 'unknown'])
      .optional()
      .describe(
        'For a call that asks for its `outcome`. `happened`: it took effect and is not run again. `did_not_happen`: it is run anew, under the same call key. `unknown`: the execution fails `TOOL_OUTCOME_UNKNOWN`.',
      ),
    output: z
      .string()
      .min(1)
      .max(65_536)
      .optional()
      .describe('With `outcome` `happened`: what the model reads as the answer of the call.'),
    reason: z
      .string()
      .max(1_000)
      .default('')
      .describe('Reason, kept in the journal. The model reads the reason of a refusal.'),
  })
  .superRefine(({ approved, outcome, output }, context) => {
    const fault = (field: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [field], message });
    };
    if (approved === undefined && outcome === undefined)
      fault('approved', 'is required for a call that asks for approval; `outcome` for one that asks for it');
    if (approved !== undefined && outcome !== undefined)
      fault('outcome', 'must not be there together with `approved`: a call asks for one of them');
    if (output !== undefined && outcome !== 'happened')
      fault('output', 'is only allowed with `outcome` "happened"');
  });

export class DecisionsDto extends createZodDto(
  z.strictObject({
    person: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'The person who decides, as you name them (an email address, an id); kept with each decision beside the API key.',
      ),
    decisions: z.array(decisionSchema).min(1).max(100),
  }),
  DECISIONS_EXAMPLE,
) {}
