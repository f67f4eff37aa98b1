import type { Failpoint } from '../programs/failpoints.js';
import type { CrashLane } from '../services/crash-lane.js';
import { describeBatch, type CrashBatch } from './crash-case.js';
import { runCrashBatch } from './run-crash-batch.js';
import { runScopeBatch } from './run-scope-batch.js';
import { describeScopeBatch, type ScopeBatch } from './scope-batch.js';

/** Cases that the death of one process covers. */
export type MatrixBatch = CrashBatch | ScopeBatch;

export function isOfScopes(batch: MatrixBatch): batch is ScopeBatch {
  return 'visits' in batch;
}

export function nameOf(batch: MatrixBatch): string {
  return isOfScopes(batch) ? describeScopeBatch(batch) : describeBatch(batch);
}

/** The failpoints of its cases. */
export function pointsOf(batch: MatrixBatch): readonly Failpoint[] {
  return isOfScopes(batch) ? [batch.point] : batch.points;
}

/** The number of cases at each of its failpoints. */
export function casesPerPoint(batch: MatrixBatch): number {
  return isOfScopes(batch) ? batch.visits : batch.effects.length;
}

/** Runs the batch; returns the violations. */
export function runBatch(lane: CrashLane, batch: MatrixBatch): Promise<string[]> {
  return isOfScopes(batch) ? runScopeBatch(lane, batch) : runCrashBatch(lane, batch);
}
