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

/**
 * A job with a unique id: the queue ignores a second job with the same id, and the first may be held by a dead worker.
 * Duplicate hints are harmless.
 */
interface NamedJob<Name extends QueueName> {
  readonly id: string;
  readonly payload: JobPayload<Name>;
}

/**
 * @param executionIds at most `MAX_EXECUTIONS_OF_A_JOB`
 * @param random makes the id unique
 */
export function executeJob(
  [executionId, ...more]: readonly [string, ...string[]],
  random: string,
): NamedJob<'execute'> {
  const id = `execution-${executionId}-${random}`;
  return { id, payload: { v: 1, executionId, ...(more.length > 0 && { more }) } };
}

export function executionsOf({ executionId, more = [] }: JobPayload<'execute'>): readonly string[] {
  return [executionId, ...more];
}

/** @param random makes the id unique */
export function deliverWebhookJob(deliveryId: string, random: string): NamedJob<'deliver-webhook'> {
  return { id: `${deliveryId}-${random}`, payload: { v: 1, deliveryId } };
}

/** @param random makes the id unique */
export function ingestDocumentJob(ingestionId: string, random: string): NamedJob<'ingest-document'> {
  return { id: `document-${ingestionId}-${random}`, payload: { v: 1, ingestionId } };
}

/** @param random makes the id unique */
export function validateLlmJob(tenantId: string, llmId: number, random: string): NamedJob<'validate-llm'> {
  return { id: `llm-${llmId}-${random}`, payload: { v: 1, tenantId, llmId } };
}

/** A trial has one job with its own id. */
export function tryToolJob(tenantId: string, trialId: string): NamedJob<'try-tool'> {
  return { id: `trial-${trialId}`, payload: { v: 1, tenantId, trialId } };
}

/** A search has one job with its own id. */
export function searchDocumentsJob(tenantId: string, searchId: string): NamedJob<'search-documents'> {
  return { id: `search-${searchId}`, payload: { v: 1, tenantId, searchId } };
}

/** One job per step of a connection attempt or a revocation. */
export function connectServerJob(
  tenantId: string,
  connectionId: string,
  attemptId: string,
  step: JobPayload<'connect-server'>['step'],
): NamedJob<'connect-server'> {
  return {
    id: `connection-${attemptId}-${step}`,
    payload: { v: 1, tenantId, connectionId, attemptId, step },
  };
}
