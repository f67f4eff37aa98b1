export const EXECUTION_STATUSES = [
  'queued',
  'running',
  'requires_action',
  'completed',
  'incomplete',
  'failed',
  'cancelled',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const SETTLED_STATUSES = ['completed', 'incomplete', 'failed', 'cancelled'] as const;
export type SettledStatus = (typeof SETTLED_STATUSES)[number];

/** Reason why an execution ended without a full answer. */
export const INCOMPLETE_REASONS = [
  'max_iterations',
  'timeout',
  'budget',
  'max_output_tokens',
  'content_filter',
  'empty_answer',
] as const;
export type IncompleteReason = (typeof INCOMPLETE_REASONS)[number];

export function isSettled(status: ExecutionStatus): status is SettledStatus {
  return (SETTLED_STATUSES as readonly string[]).includes(status);
}
