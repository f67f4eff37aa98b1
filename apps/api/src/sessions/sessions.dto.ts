import { z } from 'zod';
import { LOG_MESSAGE_TYPES } from '#libs/agent-core';
import { additionalDataSchema, jsonObjectSchema, metadataSchema } from '#libs/payloads';
import {
  executorIdSchema,
  gatherMetadata,
  metadataFilterSchema,
  rangeFields,
  sortSchema,
} from '../http/list-filters.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { flagSchema, idSchema, uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const sessionSchema = z.object({
  uuid: z.uuid(),
  agent_id: z.int().nullable(),
  title: z.string().nullable().describe('Null until its first execution succeeds.'),
  title_pending: z.boolean(),
  metadata: z.record(z.string(), z.string()).describe('Your own keys; empty if there are none.'),
  is_archived: z.boolean(),
  session_id: z
    .string()
    .nullable()
    .describe('Engine session that the next execution continues; null if it starts a new one.'),
  turn_count: z.int().describe('Number of accepted executions, failed ones included.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof sessionSchema> = {
  uuid: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e00',
  agent_id: 7,
  title: 'A late parcel',
  title_pending: false,
  metadata: { customer: 'C-1204' },
  is_archived: false,
  session_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e00',
  turn_count: 1,
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T09:00:03.480Z',
};
/** A conversation. */
export class SessionDto extends createZodDto(sessionSchema, EXAMPLE) {}
export class SessionPageDto extends createZodDto(pageSchema(sessionSchema), pageExample(EXAMPLE)) {}

/** Most characters of a title that a person gives. */
const MAX_TITLE = 200;

/** Fields of a session to change. */
export class SessionPatchDto extends createZodDto(
  z
    .strictObject({
      title: z
        .string()
        .trim()
        .min(1)
        .max(MAX_TITLE)
        .optional()
        .describe(`Title for people, 1 to ${MAX_TITLE} characters without the spaces around it.`),
      metadata: metadataSchema
        .optional()
        .describe(
          'Your own keys, in place of all that there are: at most 16, each 1 to 64 characters with a value of at most 512.',
        ),
    })
    .refine(({ title, metadata }) => title !== undefined || metadata !== undefined, {
      ...{ path: ['title'], error: 'is required, unless `metadata` is given' },
    }),
  { title: 'The late parcel of Mr Ito', metadata: { customer: 'C-1204' } },
) {}

export class SessionListQuery extends createZodDto(
  z.preprocess(
    gatherMetadata,
    pageQuerySchema(z.uuid()).extend({
      archived: flagSchema.default(false).describe('`true`: the archived ones; `false`: the others.'),
      agent_id: idSchema.optional().describe('Only sessions of this agent.'),
      executor_id: executorIdSchema
        .optional()
        .describe('Only sessions with an execution whose request names this `executor.user_id`.'),
      metadata: metadataFilterSchema('sessions'),
      ...rangeFields,
      sort: sortSchema,
    }),
  ),
) {}

const summarySchema = z.object({
  content: z.string().nullable().describe('Null while models read all messages unabridged.'),
  version: z.int().describe('Number of the summary, from 1; each new summary adds one. 0: no summary.'),
  through_turn: z.int().nullable().describe('Last turn that it covers.'),
  through_message_id: z.int().nullable().describe('Last message that it covers.'),
  tokens: z.int().nullable(),
  model: z.string().nullable().describe('The model that wrote it.'),
  is_pending: z.boolean().describe('Whether a newer summary is being written.'),
  written_at: z.iso.datetime().nullable(),
});
/** The summary that replaces the older part of a conversation for the model. */
export class SessionSummaryDto extends createZodDto(summarySchema, {
  content: 'They asked for the blue parcel to be sent to Kyoto by Friday, and got the number JP-1204.',
  version: 2,
  through_turn: 24,
  through_message_id: 311,
  tokens: 24,
  model: 'my-model',
  is_pending: false,
  written_at: '2026-11-22T09:00:09.120Z',
}) {}

const messageSchema = z.object({
  id: z.int(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  data: additionalDataSchema,
  truncated: z
    .literal(true)
    .optional()
    .describe('True if the text exceeded the limit and `content` was cut; otherwise absent.'),
  execution_id: z.uuid().nullable(),
  turn_number: z.int(),
  created_at: z.iso.datetime(),
});
export class MessagePageDto extends createZodDto(
  pageSchema(messageSchema),
  pageExample<z.input<typeof messageSchema>>({
    id: 12,
    role: 'assistant',
    content: 'Your parcel arrives on Friday.',
    data: {},
    execution_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
    turn_number: 1,
    created_at: '2026-11-22T09:00:03.480Z',
  }),
) {}

const logMessageSchema = z.object({
  message_seq: z.int().describe('Number of the message, from 1 without gaps; it never changes.'),
  message_type: z.enum(LOG_MESSAGE_TYPES),
  message_subtype: z.string().nullable(),
  content: jsonObjectSchema,
  timestamp: z.iso.datetime(),
  execution_id: z.uuid(),
  turn_number: z.int(),
});
/** Message log of a conversation, up to its first unfinished execution. */
export class MessageLogPageDto extends createZodDto(
  pageSchema(logMessageSchema),
  pageExample<z.input<typeof logMessageSchema>>({
    message_seq: 1,
    message_type: 'user',
    message_subtype: null,
    content: { text: 'Where is my parcel?' },
    timestamp: '2026-11-22T09:00:00.000Z',
    execution_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
    turn_number: 1,
  }),
) {}
export class MessageLogQuery extends createZodDto(pageQuerySchema(idSchema)) {}

const sessionIdSchema = uuidSchema.describe('The id of the session.');
export class SessionParams extends createZodDto(z.object({ uuid: sessionIdSchema })) {}
export class AgentSessionParams extends createZodDto(
  z.object({ id: idSchema.describe('The id of the agent.'), uuid: sessionIdSchema }),
) {}
export class MessageListQuery extends createZodDto(pageQuerySchema(idSchema)) {}
