import type { JobPayload, QueueName } from './job-catalogue.js';

/**
 * A job to be sent, under an id that no other one has: the queue passes over a second job of one id, and the first may be
 * in the hands of a worker that has died. A hint that comes twice is harmless.
 */
interface NamedJob<Name extends QueueName> {
  readonly id: string;
  readonly payload: JobPayload<Name>;
}

/**
 * @param executionIds at most `MOST_EXECUTIONS_OF_A_JOB`
 * @param random makes the id one of its own
 */
export function executeJob(
  [executionId, ...more]: readonly [string, ...string[]],
  random: string,
): NamedJob<'execute'> {
  const id = `execution-${executionId}-${random}`;
  return { id, payload: { v: 1, executionId, ...(more.length > 0 && { more }) } };
}

/** All executions that a job names. */
export function executionsOf({ executionId, more = [] }: JobPayload<'execute'>): readonly string[] {
  return [executionId, ...more];
}

/** @param random makes the id one of its own */
export function deliverWebhookJob(deliveryId: string, random: string): NamedJob<'deliver-webhook'> {
  return { id: `${deliveryId}-${random}`, payload: { v: 1, deliveryId } };
}

/** @param random makes the id one of its own */
export function ingestDocumentJob(ingestionId: string, random: string): NamedJob<'ingest-document'> {
  return { id: `document-${ingestionId}-${random}`, payload: { v: 1, ingestionId } };
}

/** @param random makes the id one of its own */
export function validateLlmJob(tenantId: string, llmId: number, random: string): NamedJob<'validate-llm'> {
  return { id: `llm-${llmId}-${random}`, payload: { v: 1, tenantId, llmId } };
}

/** A trial has one job, under its own id. */
export function tryToolJob(tenantId: string, trialId: string): NamedJob<'try-tool'> {
  return { id: `trial-${trialId}`, payload: { v: 1, tenantId, trialId } };
}

/** A search has one job, under its own id. */
export function searchDocumentsJob(tenantId: string, searchId: string): NamedJob<'search-documents'> {
  return { id: `search-${searchId}`, payload: { v: 1, tenantId, searchId } };
}

/** One for each step of a try to connect, or of revoking a connection. */
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
