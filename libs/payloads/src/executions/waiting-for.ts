import { z } from 'zod';

/** Kinds of waits of an execution; the API describes each. */
export const WAIT_KINDS = [
  'slot',
  'conversation',
  'tool_server',
  'provider_backoff',
  'rate_limit',
  'model_first_byte',
  'approval',
  'outcome',
  'budget',
] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

const fields = {
  name: z
    .string()
    .nullable()
    .describe('The tool server, model, tool, or the session that it waits for; null if it has no name.'),
  next_try_at: z.iso
    .datetime()
    .nullable()
    .describe('Earliest time of the next try; null if something else ends the wait.'),
  message: z.string().describe('The reason, for people. At most 500 characters, without secrets.'),
};
const MEANING =
  '`slot`: a free worker. `conversation`: the execution before it in its session. `tool_server`: a tool server that is away. `provider_backoff`: the pause after a failed model call, or a provider that is away. `rate_limit`: the pause that a provider asks for. `model_first_byte`: the beginning of an answer, for more than 5 seconds. `approval`, `outcome`: the decision of a person. `budget`: nothing waits for it yet.';

/** Current wait of an execution, as it is recorded. */
const waitingForSchema = z.object({
  kind: z.enum(WAIT_KINDS).describe(MEANING),
  since: z.iso.datetime().describe('Start of this wait, across all tries.'),
  ...fields,
});
export type WaitingFor = z.infer<typeof waitingForSchema>;

/** The wait as an execution shows it. */
export const shownWaitSchema = waitingForSchema.extend({
  deadline_at: z.iso
    .datetime()
    .nullable()
    // Events stored by older releases lack this field.
    .default(null)
    .describe(
      'When this wait ends at the latest, by a limit of the execution: the end of its `timeout_seconds`, or of the time for a decision. Null before its first attempt, with which its time begins, and from a decision until the next one.',
    ),
});
export type ShownWait = z.infer<typeof shownWaitSchema>;

/** The wait as an event: all fields are null or empty once the wait is over. */
export const waitingEventSchema = z.object({
  kind: z.enum(WAIT_KINDS).nullable().describe(`Null: the wait is over. ${MEANING}`),
  since: z.iso.datetime().nullable().describe('Start of this wait, across all tries.'),
  ...fields,
});

/** Data of the `waiting` event; null ends the wait. */
export function toWaitingEvent(waiting: WaitingFor | null): z.infer<typeof waitingEventSchema> {
  return waiting ?? { kind: null, name: null, since: null, next_try_at: null, message: '' };
}
