import { AppError } from '#libs/kernel';
import { z } from 'zod';

/** Maximum executions per job; as JSON they stay far below `MAX_JOB_BYTES`. */
export const MAX_EXECUTIONS_OF_A_JOB = 16;

/**
 * All queues and the shapes of their jobs. A job is a hint that carries ids only: no text, no secret. Within a version
 * only optional fields may be added; a breaking change needs a new `v`.
 */
export const jobCatalogue = {
  execute: {
    schema: z.object({
      v: z.literal(1),
      executionId: z.uuid(),
      /** Further executions. An older release runs only the first one; the others are sent again as lost. */
      more: z
        .array(z.uuid())
        .max(MAX_EXECUTIONS_OF_A_JOB - 1)
        .optional(),
    }),
    attempts: 5,
    backoffMs: 1_000,
  },
  'deliver-webhook': {
    schema: z.object({ v: z.literal(1), deliveryId: z.string().min(1).max(100) }),
    attempts: 5,
    backoffMs: 1_000,
  },
  'generate-title': {
    schema: z.object({ v: z.literal(1), executionId: z.uuid() }),
    attempts: 5,
    backoffMs: 1_000,
  },
  'summarize-session': {
    schema: z.object({ v: z.literal(1), sessionId: z.uuid() }),
    attempts: 5,
    backoffMs: 1_000,
  },
  'extract-memories': {
    schema: z.object({ v: z.literal(1), executionId: z.uuid() }),
    attempts: 5,
    backoffMs: 1_000,
  },
  'ingest-document': {
    schema: z.object({ v: z.literal(1), ingestionId: z.uuid() }),
    attempts: 5,
    backoffMs: 1_000,
  },
  'background-task': {
    schema: z.object({ v: z.literal(1), taskId: z.uuid() }),
    attempts: 5,
    backoffMs: 1_000,
  },
  // No retry: a client waits for the answer, which reports the failure.
  'validate-llm': {
    schema: z.object({ v: z.literal(1), tenantId: z.string().min(1).max(100), llmId: z.int() }),
    attempts: 1,
    backoffMs: 1_000,
  },
  // No retry: a client waits for the answer; the trial's row is processed once.
  'try-tool': {
    schema: z.object({ v: z.literal(1), tenantId: z.string().min(1).max(100), trialId: z.uuid() }),
    attempts: 1,
    backoffMs: 1_000,
  },
  // No retry: a client waits for the answer; the search's row is processed once.
  'search-documents': {
    schema: z.object({ v: z.literal(1), tenantId: z.string().min(1).max(100), searchId: z.uuid() }),
    attempts: 1,
    backoffMs: 1_000,
  },
  // No retry: a client waits for the answer; the connection's row holds the step, which runs once.
  'connect-server': {
    schema: z.object({
      v: z.literal(1),
      tenantId: z.string().min(1).max(100),
      connectionId: z.uuid(),
      attemptId: z.uuid(),
      step: z.enum(['ask', 'exchange', 'revoke']),
    }),
    attempts: 1,
    backoffMs: 1_000,
  },
} as const;

export type QueueName = keyof typeof jobCatalogue;
export type JobPayload<Name extends QueueName> = z.infer<(typeof jobCatalogue)[Name]['schema']>;

export const QUEUE_NAMES = Object.keys(jobCatalogue) as readonly QueueName[];
const MAX_JOB_BYTES = 2_048;

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
