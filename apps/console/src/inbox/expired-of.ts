import type { ExecutionSummary } from '../api/types.js';

/** Number of runs whose time for a decision is over, before the service has counted them as refused. Pure. */
export function expiredOf(runs: readonly ExecutionSummary[], now: number): number {
  return runs.filter(({ required_action: action }) => action !== null && Date.parse(action.expires_at) <= now)
    .length;
}
