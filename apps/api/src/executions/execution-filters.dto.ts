import { z } from 'zod';
import { compareDecimals } from '#libs/kernel';
import { digits, EXECUTION_STATUSES, wholeNumber } from '#libs/payloads';
import { SEARCHED_INPUT_CHARACTERS } from '#libs/persistence';
import {
  executorIdSchema,
  gatherMetadata,
  metadataFilterSchema,
  rangeFields,
  sortSchema,
  wordsSchema,
} from '../http/list-filters.js';
import { pageQuerySchema } from '../http/page.js';
import { idSchema, uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const costSchema = z
  .string()
  .regex(
    /^\d{1,9}(\.\d{1,12})?$/,
    'must be a decimal number, e.g. 0.25, with at most 12 digits after the point',
  );
const durationSchema = digits(wholeNumber(0));
const textSchema = (least: number, most: number) => {
  const allowed = `must be ${least} to ${most} characters, without NUL`;
  return z
    .string()
    .min(least, allowed)
    .max(most, allowed)
    .regex(/^[^\u0000]*$/, allowed);
};

const filtersSchema = pageQuerySchema(z.uuid())
  .extend({
    status: wordsSchema(EXECUTION_STATUSES)
      .optional()
      .describe('Only executions with this status, or with one of several, comma-separated.'),
    agent_id: idSchema.optional().describe('Only executions of this agent.'),
    agent_version: digits(wholeNumber(1))
      .optional()
      .describe('Only executions of this version of the agent, from 1; requires `agent_id`.'),
    session_uuid: uuidSchema.optional().describe('Only executions of this session.'),
    executor_id: executorIdSchema
      .optional()
      .describe('Only executions whose request names this `executor.user_id`.'),
    error_code: z
      .string()
      .regex(
        /^[A-Z][A-Z0-9_]{0,63}$/,
        'must be a code such as TIMEOUT: capital letters, digits and _, at most 64',
      )
      .optional()
      .describe('Only executions with this `error.code`.'),
    tool_name: textSchema(1, 128)
      .optional()
      .describe('Only executions with an ended or refused call of this tool, sub-agents included.'),
    min_cost_usd: costSchema
      .optional()
      .describe('Minimum cost in US dollars, e.g. `0.25`; excludes unknown costs.'),
    max_cost_usd: costSchema.optional().describe('Maximum cost in US dollars; excludes unknown costs.'),
    min_duration_ms: durationSchema.optional().describe('Minimum milliseconds from `started_at` to the end.'),
    max_duration_ms: durationSchema.optional().describe('Maximum milliseconds from `started_at` to the end.'),
    input: textSchema(3, 200)
      .optional()
      .describe(
        `Only executions with this text within the first ${SEARCHED_INPUT_CHARACTERS} characters of \`input\`, case-insensitive. Needs the database extension \`pg_trgm\`; answers 400 without it.`,
      ),
    metadata: metadataFilterSchema('executions'),
    ...rangeFields,
    sort: sortSchema,
  })
  .refine(({ agent_id, agent_version }) => agent_version === undefined || agent_id !== undefined, {
    ...{ path: ['agent_version'], error: 'needs agent_id beside it: versions count by agent' },
  })
  .refine(({ min_cost_usd: min, max_cost_usd: max }) => !min || !max || compareDecimals(min, max) <= 0, {
    ...{ path: ['max_cost_usd'], error: 'must not be below min_cost_usd' },
  })
  .refine(({ min_duration_ms: min = 0, max_duration_ms: max = min }) => min <= max, {
    ...{ path: ['max_duration_ms'], error: 'must not be below min_duration_ms' },
  });

export class ExecutionListQuery extends createZodDto(z.preprocess(gatherMetadata, filtersSchema)) {}
