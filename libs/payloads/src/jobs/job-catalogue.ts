import { z } from 'zod';

/** Executions that one job names at most; as JSON they are well below `MAX_JOB_BYTES`. */
export const MOST_EXECUTIONS_OF_A_JOB = 16;

/**
 * Every queue of the service and the shape of its jobs. A job is a hint that carries ids only: never text, never a
 * secret. Within a version fields are only added as optional; a breaking shape is a new `v`.
 */
export const jobCatalogue = {
  execute: {
    schema: z.object({
      v: z.literal(1),
      executionId: z.uuid(),
      /** Further executions. A release that does not know them runs the first; the others are sent again, as lost ones. */
      more: z
        .array(z.uuid())
        .max(MOST_EXECUTIONS_OF_A_JOB - 1)
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
  // Somebody waits for its answer, which says how it failed: it is not tried again.
  'validate-llm': {
    schema: z.object({ v: z.literal(1), tenantId: z.string().min(1).max(100), llmId: z.int() }),
    attempts: 1,
    backoffMs: 1_000,
  },
  // The same; what is tried is a row, and is tried once.
  'try-tool': {
    schema: z.object({ v: z.literal(1), tenantId: z.string().min(1).max(100), trialId: z.uuid() }),
    attempts: 1,
    backoffMs: 1_000,
  },
  // The same; what is looked for is a row, and is looked for once.
  'search-documents': {
    schema: z.object({ v: z.literal(1), tenantId: z.string().min(1).max(100), searchId: z.uuid() }),
    attempts: 1,
    backoffMs: 1_000,
  },
  // The same; what is to be done with the connection stands in its row, and is done once.
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
export const MAX_JOB_BYTES = 2_048;
