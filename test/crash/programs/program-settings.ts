import { z } from 'zod';

/** The settings of these programs besides those of the service. */
export const programSettingsSchema = z.object({
  /** The URL of the effect server. */
  EFFECT_SERVER_URL: z.url(),
  /** The URL to report failpoints to; without it none is reported. */
  FAILPOINT_BOARD_URL: z.url().optional(),
  /** Milliseconds that the queue waits for a worker with a job, and of the lease of a delivery; longer in production. */
  GRACE_MS: z.coerce.number().int().positive().default(2_000),
  /** `short`: the queue notices within seconds that a process died in the middle of a job. */
  QUEUE_TIMES: z.enum(['short', 'production']).default('short'),
  /** The protection that a control leaves out, to see that the tests notice. */
  WITHOUT_PROTECTION: z.enum(['fence', 'effect_class', 'crash_attribution']).optional(),
});

/** The line that a process logs when its clock was set. */
export const CLOCK_SET = 'the clock was set';

/** The line that a worker logs when it stops at the next boundary. */
export const DRAINING = 'worker draining';
