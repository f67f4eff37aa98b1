import { z } from 'zod';
import { createZodDto } from '../http/zod-dto.js';

export const WINDOWS = {
  '1h': { hours: 1, partMinutes: 5 },
  '24h': { hours: 24, partMinutes: 60 },
  '7d': { hours: 168, partMinutes: 360 },
};

/** Length of the list of waiting tenants. */
export const MAX_TENANTS = 20;

const windowSchema = z.enum(['1h', '24h', '7d']);
export class OverviewQuery extends createZodDto(
  z.strictObject({
    window: windowSchema.default('24h').describe('Window: an hour, a day or a week, rounded to whole parts.'),
  }),
) {}

const count = z.int().nonnegative();
const settledCounts = {
  completed: count,
  incomplete: count,
  failed: count,
  cancelled: count,
};
const cost = z.string().describe('Sum of known costs, as decimal text in US dollars.');
const duration = z
  .int()
  .nonnegative()
  .describe('In milliseconds, from the first attempt to the end; accurate to 5 %.');

const overviewSchema = z.object({
  window: windowSchema,
  from: z.iso.datetime().describe('Inclusive.'),
  to: z.iso.datetime().describe('The time of the answer.'),
  under_way: z
    .object({ queued: count, running: count, requires_action: count })
    .describe('Executions that are not settled now, of any age.'),
  oldest_wait_seconds: z
    .number()
    .nonnegative()
    .nullable()
    .describe('Longest current wait for a worker, in seconds; null if none waits.'),
  expired_approvals: count.describe('Executions that a person did not decide in time, in the window.'),
  waiting_tenants: z
    .array(
      z.object({
        tenant_id: z.string(),
        queued: count.describe('Executions that wait for a worker.'),
        oldest_wait_seconds: z.number().nonnegative(),
      }),
    )
    .nullable()
    .describe(
      `The ${MAX_TENANTS} tenants of the installation that wait longest for a worker; null without the scope \`admin\`.`,
    ),
  settled: z.object(settledCounts).describe('Executions settled in the window.'),
  settled_per_minute: z.number().nonnegative(),
  duration_ms: z
    .object({ p50: duration, p95: duration })
    .nullable()
    .describe('Durations of settled executions that ran; null if there are none.'),
  errors: z
    .array(z.object({ code: z.string(), count }))
    .describe('Error codes of failed executions, most frequent first.'),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      total_cost_usd: cost,
      unpriced_executions: count.describe('Executions whose cost is unknown, or partly unknown.'),
    })
    .describe('Usage of settled executions, sub-agents included.'),
  parts: z
    .array(z.object({ from: z.iso.datetime(), ...settledCounts, total_cost_usd: cost }))
    .describe(
      'The window in parts of 5 minutes (`1h`), 1 hour (`24h`) or 6 hours (`7d`); empty parts are omitted.',
    ),
});
export type OverviewAnswer = z.infer<typeof overviewSchema>;
export class OverviewDto extends createZodDto(overviewSchema, {
  window: '24h',
  from: '2026-11-21T09:00:00.000Z',
  to: '2026-11-22T09:12:31.000Z',
  under_way: { queued: 3, running: 12, requires_action: 1 },
  oldest_wait_seconds: 0.8,
  expired_approvals: 0,
  waiting_tenants: [{ tenant_id: 'default', queued: 2, oldest_wait_seconds: 0.8 }],
  settled: { completed: 1_180, incomplete: 4, failed: 9, cancelled: 2 },
  settled_per_minute: 0.82,
  duration_ms: { p50: 8_200, p95: 41_000 },
  errors: [{ code: 'SDK_ERROR', count: 7 }],
  usage: {
    input_tokens: 8_812_000,
    output_tokens: 660_400,
    total_cost_usd: '28.11',
    unpriced_executions: 0,
  },
  parts: [
    {
      from: '2026-11-22T08:00:00.000Z',
      ...{ completed: 61, incomplete: 0, failed: 1, cancelled: 0 },
      total_cost_usd: '1.42',
    },
  ],
}) {}
