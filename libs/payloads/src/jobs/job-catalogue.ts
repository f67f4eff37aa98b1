import { z } from 'zod';

/**
 * Every queue of the service and the shape of its jobs. A job is a hint that carries ids only: never text, never a
 * secret. Within a version fields are only added as optional; a breaking shape is a new `v`.
 */
export const jobCatalogue = {
  execute: {
    schema: z.object({ v: z.literal(1), executionId: z.uuid() }),
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
  // Somebody waits for its answer, which says how it failed: it is not tried again.
  'validate-llm': {
    schema: z.object({ v: z.literal(1), tenantId: z.string().min(1).max(100), llmId: z.int() }),
    attempts: 1,
    backoffMs: 1_000,
  },
} as const;

export type QueueName = keyof typeof jobCatalogue;
export type JobPayload<Name extends QueueName> = z.infer<(typeof jobCatalogue)[Name]['schema']>;

export const QUEUE_NAMES = Object.keys(jobCatalogue) as readonly QueueName[];
export const MAX_JOB_BYTES = 2_048;
