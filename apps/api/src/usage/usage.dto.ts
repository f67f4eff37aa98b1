import { z } from 'zod';
import { USAGE_GROUPS } from '#libs/persistence';
import {
  executorIdSchema,
  gatherMetadata,
  metadataFilterSchema,
  momentSchema,
} from '../http/list-filters.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { idSchema, uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

/** Content of a cursor: the last key of its page. PostgreSQL text cannot hold NUL. */
const keySchema = z
  .string()
  .max(1_000)
  .regex(/^[^\0]*$/);
const metadataKeySchema = z.string().regex(/^[^\u0000]{1,64}$/);
const groupSchema = z.union(
  [
    z.enum(USAGE_GROUPS),
    z.templateLiteral(['metadata.', metadataKeySchema]),
    z.templateLiteral(['day,metadata.', metadataKeySchema]),
    z.templateLiteral(['hour,metadata.', metadataKeySchema]),
  ],
  `must be one of ${USAGE_GROUPS.join(', ')}, or metadata.KEY, also behind \`day,\` or \`hour,\`, with a key of 1 to 64 characters`,
);
const AGENT_KEY = /^[1-9]\d{0,8}$/;

const usageQuerySchema = pageQuerySchema(keySchema)
  .extend({
    group_by: groupSchema.describe(
      'What each sum is of. `day` and `hour` are in UTC; with a comma behind, the sums of each day or hour are split. `tenant` is for keys with the scope `admin`: sums of every tenant. `executor`: `executor.user_id` of the request; calls of executions without one, or of deleted sessions, are in no sum. `metadata.KEY`: the value of this key in the metadata of the execution, such as `metadata.customer`; calls of executions without it are in no sum.',
    ),
    from: momentSchema.optional().describe(`Inclusive; ${DEFAULT_DAYS} days before \`to\` when omitted.`),
    to: momentSchema
      .optional()
      .describe(`Exclusive; now when omitted. At most ${MAX_DAYS} days after \`from\`.`),
    agent_id: idSchema.optional().describe('Only calls of this agent, also as a sub-agent of another.'),
    execution_id: uuidSchema.optional().describe('Only calls of this execution.'),
    executor_id: executorIdSchema
      .optional()
      .describe(
        'Only calls of executions whose request names this `executor.user_id`; without those of deleted sessions.',
      ),
    metadata: metadataFilterSchema('calls of executions'),
  })
  .transform((query, context) => {
    if (query.group_by === 'agent' && query.cursor !== undefined && !AGENT_KEY.test(query.cursor))
      context.addIssue({
        code: 'custom',
        path: ['cursor'],
        message: 'must be the next_cursor of an earlier answer',
      });
    const to = query.to ?? new Date();
    const from = query.from ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
    const days = (to.getTime() - from.getTime()) / DAY_MS;
    if (days <= 0) context.addIssue({ code: 'custom', path: ['from'], message: 'must be before `to`' });
    if (days > MAX_DAYS)
      context.addIssue({
        code: 'custom',
        path: ['from'],
        message: `must be at most ${MAX_DAYS} days before \`to\``,
      });
    return { ...query, from, to };
  });

export class UsageQuery extends createZodDto(z.preprocess(gatherMetadata, usageQuerySchema)) {}

const count = z.int().nonnegative();
/** Sum over calls with known tokens; null if all calls have unknown tokens. */
const tokens = count.nullable();
const usageSumSchema = z.object({
  model: z
    .string()
    .nullable()
    .describe('Model id of the provider. This and the next seven fields are set only when grouped by them.'),
  agent_id: z.int().nullable(),
  day: z.iso.date().nullable().describe('Day in UTC.'),
  hour: z.iso.datetime().nullable().describe('Start of the hour.'),
  tenant_id: z.string().nullable(),
  scope: z
    .string()
    .nullable()
    .describe(
      'Scope of the loop: empty for the main agent, otherwise the call of the sub-agent, such as `2.1`.',
    ),
  executor_id: z.string().nullable(),
  metadata_value: z.string().nullable().describe('Value of the key of the metadata.'),
  calls: count.describe('Model calls, answered or not.'),
  failed_calls: count.describe(
    'Model calls without an answer; their tokens count if the provider reported them.',
  ),
  unknown_calls: count.describe('Model calls without reported tokens; not in any sum.'),
  unpriced_calls: count.describe('Model calls with known tokens and unknown price.'),
  input_tokens: tokens.describe(
    'Input tokens, including those read from and written to a cache; null if no call reported tokens.',
  ),
  cache_read_tokens: tokens,
  cache_creation_5m_tokens: tokens,
  cache_creation_1h_tokens: tokens,
  output_tokens: tokens.describe('Output tokens, reasoning included.'),
  reasoning_tokens: tokens,
  total_tokens: tokens,
  total_cost_usd: z
    .string()
    .nullable()
    .describe('Exact sum of known costs in US dollars, as decimal text; null if none is known.'),
});
const SUM_EXAMPLE: z.input<typeof usageSumSchema> = {
  model: null,
  agent_id: 7,
  day: null,
  hour: null,
  tenant_id: null,
  scope: null,
  executor_id: null,
  metadata_value: null,
  calls: 214,
  failed_calls: 2,
  unknown_calls: 0,
  unpriced_calls: 0,
  input_tokens: 88_120,
  cache_read_tokens: 40_960,
  cache_creation_5m_tokens: 0,
  cache_creation_1h_tokens: 0,
  output_tokens: 6_604,
  reasoning_tokens: 2_112,
  total_tokens: 94_724,
  total_cost_usd: '0.2811',
};
export type UsageSumView = z.infer<typeof usageSumSchema>;

export class UsagePageDto extends createZodDto(
  pageSchema(usageSumSchema).extend({
    group_by: groupSchema,
    from: z.iso.datetime(),
    to: z.iso.datetime(),
  }),
  {
    ...pageExample(SUM_EXAMPLE),
    group_by: 'agent',
    from: '2026-10-23T09:00:00.000Z',
    to: '2026-11-22T09:00:00.000Z',
  },
) {}
