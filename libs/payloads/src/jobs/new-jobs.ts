import type { JobPayload, QueueName } from './job-catalogue.js';

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
