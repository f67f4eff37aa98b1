import { z } from 'zod';

/** Maximum executions that an API process hands to a worker in one request. */
const MAX_ASSIGNED = 64;

/** Body of `POST /executions` of a worker: executions that were accepted as claimed by it. */
export const assignedExecutionsSchema = z.object({
  /** Id of the worker, since its address may be another worker's by now. */
  worker: z.string(),
  assignments: z.array(z.object({ execution_id: z.uuid(), token: z.uuid() })).max(MAX_ASSIGNED),
});

/** Answer to it: the slots that are free after what was handed over has begun. */
export const freeSlotsSchema = z.object({ free: z.int().nonnegative() });
