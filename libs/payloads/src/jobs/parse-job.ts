import { AppError } from '#libs/kernel';
import { jobCatalogue, MAX_JOB_BYTES, type JobPayload, type QueueName } from './job-catalogue.js';

/**
 * Validates a payload on its way into and out of a queue. An invalid one is a bug of this service, hence `invalid_input`
 * and no retry.
 */
export function parseJob<Name extends QueueName>(queue: Name, payload: unknown): JobPayload<Name> {
  const parsed = jobCatalogue[queue].schema.safeParse(payload);
  const bytes = JSON.stringify(payload ?? null).length;
  if (parsed.success && bytes <= MAX_JOB_BYTES) return parsed.data as JobPayload<Name>;
  throw new AppError({
    code: 'INVALID_JOB',
    kind: 'invalid_input',
    message: `a job of the queue "${queue}" does not have the shape of the catalogue`,
    details: {
      queue,
      bytes,
      reasons: parsed.success ? [] : parsed.error.issues.map((issue) => issue.message),
    },
  });
}
