import type { ExecutionStatus } from '../../api/types.js';
import { statusesOf, type RunsFilter } from '../runs-filter.js';

export type BulkAction = 'cancel' | 'retry';

interface BulkWords {
  readonly title: string;
  readonly button: string;
  readonly running: string;
  readonly done: string;
  readonly effect: string;
}

export const BULK_WORDS: Readonly<Record<BulkAction, BulkWords>> = {
  cancel: {
    title: 'Cancel runs',
    button: 'Cancel',
    running: 'Cancelling',
    done: 'cancelled',
    effect: 'A run that waits ends at once, one that is running within about a second.',
  },
  retry: {
    title: 'Retry runs',
    button: 'Retry',
    running: 'Retrying',
    done: 'submitted again',
    effect: 'Each runs again as a new run, the next turn of its session.',
  },
};

const UNDER_WAY: readonly ExecutionStatus[] = ['queued', 'running', 'requires_action'];
const NOT_DONE: readonly ExecutionStatus[] = ['incomplete', 'failed', 'cancelled'];

/**
 * Statuses of the filter to which the action applies; empty where it applies to none. Completed runs did their work, and
 * are retried only where the filter names them and `isCompletedMeant`. Pure.
 */
export function statusesFor(
  action: BulkAction,
  filter: RunsFilter,
  isCompletedMeant: boolean,
): readonly ExecutionStatus[] {
  const applicable: readonly ExecutionStatus[] =
    action === 'cancel' ? UNDER_WAY : isCompletedMeant ? [...NOT_DONE, 'completed'] : NOT_DONE;
  const named = statusesOf(filter.status);
  return named.length === 0
    ? applicable.filter((status) => status !== 'completed')
    : applicable.filter((status) => named.includes(status));
}
