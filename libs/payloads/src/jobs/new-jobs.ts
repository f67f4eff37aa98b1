import type { JobPayload } from './job-catalogue.js';

/** A job to be sent, with the id that makes a second one of the same kind the same job. */
interface NamedJob<Name extends 'execute' | 'deliver-webhook'> {
  readonly id: string;
  readonly payload: JobPayload<Name>;
}

/** @param attempt how often the execution was claimed before: every claim makes room for a new job */
export function executeJob(executionId: string, attempt: number): NamedJob<'execute'> {
  return { id: `execution-${executionId}-${attempt}`, payload: { v: 1, executionId } };
}

/** @param attempt how many attempts at the delivery there were */
export function deliverWebhookJob(deliveryId: string, attempt: number): NamedJob<'deliver-webhook'> {
  return { id: `${deliveryId}-${attempt}`, payload: { v: 1, deliveryId } };
}
