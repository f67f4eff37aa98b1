import { z } from 'zod';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { createZodDto } from '../http/zod-dto.js';

/** Content of a cursor: the last id of its page. PostgreSQL text cannot hold NUL. */
const cursorKeySchema = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\0]*$/);

const modelHostSchema = z.object({
  host: z.string().describe('Host name, with the port if the address names one.'),
  failures: z
    .int()
    .positive()
    .describe('Consecutive unanswered calls, counted up to the number that opens the breaker: 5.'),
  breaker: z
    .enum(['closed', 'open', 'half_open'])
    .describe(
      'Circuit breaker of the worker: closed while calls are sent, open while they are delayed, half_open while one call tries.',
    ),
  paused_until: z.iso
    .datetime()
    .nullable()
    .describe('Time from which the next call tries the host again; null unless the breaker is open.'),
});

const workerSchema = z.object({
  id: z.string().describe('Host name and process id, with a random suffix.'),
  release: z.string().nullable().describe('Version of its program; null if unknown.'),
  roles: z.array(z.string()).describe('Roles of the worker: `WORKER_ROLES`.'),
  slots: z.int().nonnegative().describe('Maximum concurrent executions; 0: it runs none.'),
  slots_in_use: z
    .int()
    .nonnegative()
    .describe('Current executions; above `slots` while it uses its reserve.'),
  is_present: z
    .boolean()
    .describe('Whether its database connection is alive; otherwise it is dead or reconnecting.'),
  last_seen_at: z.iso.datetime().nullable().describe('Time of this answer if it is present, otherwise null.'),
  started_at: z.iso.datetime(),
  draining_since: z.iso
    .datetime()
    .nullable()
    .describe('Start of draining: it takes no new work. Null: it takes work.'),
  model_hosts: z
    .array(modelHostSchema)
    .describe(
      'Servers of models that left the last call of this worker unanswered, at most 20; empty: all of them answer.',
    ),
});
const EXAMPLE: z.input<typeof workerSchema> = {
  id: 'capstan-worker-7d9f-1#5f0c2a91',
  release: '0.1.0',
  roles: ['execute', 'webhooks', 'housekeeping', 'ingest'],
  slots: 50,
  slots_in_use: 12,
  is_present: true,
  last_seen_at: '2026-11-22T09:05:00.000Z',
  started_at: '2026-11-22T09:00:00.000Z',
  draining_since: null,
  model_hosts: [
    {
      ...{ host: 'models.example.com', failures: 5, breaker: 'open' },
      paused_until: '2026-11-22T09:05:10.000Z',
    },
  ],
};
export class WorkerPageDto extends createZodDto(pageSchema(workerSchema), pageExample(EXAMPLE)) {}
export class WorkerListQuery extends createZodDto(pageQuerySchema(cursorKeySchema)) {}
