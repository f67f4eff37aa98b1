import { z } from 'zod';

/** What the programs read beside the settings of the service. */
export const programSettingsSchema = z.object({
  /** Where the watched tools take effect. */
  EFFECT_SERVER_URL: z.url(),
  /** Where arrivals at failpoints are reported; without it none is. */
  FAILPOINT_BOARD_URL: z.url().optional(),
  /** How long the queue waits for whoever fetched a job, and the lease of a delivery lasts; in production it is longer. */
  PATIENCE_MS: z.coerce.number().int().positive().default(2_000),
  /** Whether a process that died in the middle of a job is noticed by the queue within seconds. */
  QUEUE_TIMES: z.enum(['short', 'production']).default('short'),
  /** A protection to leave out, to see that the tests miss it. */
  WITHOUT_PROTECTION: z.enum(['fence', 'effect_class', 'blame']).optional(),
});

/** What a process writes when its clock was set. */
export const CLOCK_SET = 'the clock was set';

/** What the worker writes when it stops at the next boundary. */
export const DRAINING = 'worker draining';
