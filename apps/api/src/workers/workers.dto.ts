import { z } from 'zod';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { createZodDto } from '../http/zod-dto.js';

/** Content of a cursor: the last id of its page. PostgreSQL text cannot hold NUL. */
const cursorKeySchema = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\0]*$/);

const workerSchema = z.object({
  id: z.string().describe('Host and process, with a suffix that no other process has.'),
  release: z.string().nullable().describe('Version of its program; null: of one that did not say.'),
  roles: z.array(z.string()).describe('What it does: `WORKER_ROLES`.'),
  slots: z.int().nonnegative().describe('Executions that it runs at once; 0: it runs none.'),
  slots_in_use: z
    .int()
    .nonnegative()
    .describe('Executions that it runs now; above `slots` where its reserve is used.'),
  is_present: z
    .boolean()
    .describe('Whether its connection to the database stands; otherwise it is dead or about to come back.'),
  last_seen_at: z.iso
    .datetime()
    .nullable()
    .describe('The time of this answer for a worker that is present; null for one that is missing.'),
  started_at: z.iso.datetime(),
  draining_since: z.iso
    .datetime()
    .nullable()
    .describe('When it was asked to stop: it begins nothing new since then. Null: it takes work.'),
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
};
export class WorkerPageDto extends createZodDto(pageSchema(workerSchema), pageExample(EXAMPLE)) {}
export class WorkerListQuery extends createZodDto(pageQuerySchema(cursorKeySchema)) {}
