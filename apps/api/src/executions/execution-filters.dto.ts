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
      .describe('Only those with this status, or with one of several, with commas between.'),
    agent_id: idSchema.optional().describe('Only those of this agent.'),
    agent_version: digits(wholeNumber(1))
      .optional()
      .describe('Only those of this version of the agent, from 1; with `agent_id` only.'),
    session_uuid: uuidSchema.optional().describe('Only those of this session.'),
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
      .describe('Only those whose `error.code` is this one.'),
    tool_name: textSchema(1, 128)
      .optional()
      .describe('Only those with a call of this tool that has ended, or was refused; in sub-agents, too.'),
    min_cost_usd: costSchema
      .optional()
      .describe('Only those that cost so many US dollars or more, e.g. `0.25`; unknown costs are left out.'),
    max_cost_usd: costSchema
      .optional()
      .describe('Only those that cost so many US dollars or less; unknown costs are left out.'),
    min_duration_ms: durationSchema
      .optional()
      .describe('Only those that ended this many milliseconds after their `started_at`, or later.'),
    max_duration_ms: durationSchema
      .optional()
      .describe('Only those that ended this many milliseconds after their `started_at`, or earlier.'),
    input: textSchema(3, 200)
      .optional()
      .describe(
        `Only those with this text, in any case, within the first ${SEARCHED_INPUT_CHARACTERS} characters of their \`input\`. Needs the extension \`pg_trgm\` in the database; a 400 says so where it is missing.`,
      ),
    metadata: metadataFilterSchema,
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
