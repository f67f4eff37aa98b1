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

/** How executions come to workers in a lane. */
export type HandOver = 'direct' | 'queue';

/**
 * The lane of the batch: each point of a hand-over in its own, and the others directly beside one queue, and by jobs beside
 * the other.
 */
export function handOverOf(batch: MatrixBatch): HandOver {
  const points = pointsOf(batch);
  if (points.some((point) => point.startsWith('dispatch.'))) return 'queue';
  if (points.some((point) => point.startsWith('hand.'))) return 'direct';
  return batch.backend === 'redis' ? 'direct' : 'queue';
}

/** The number of cases at each of its failpoints. */
export function casesPerPoint(batch: MatrixBatch): number {
  return isOfScopes(batch) ? batch.visits : batch.effects.length;
}

/** Runs the batch; returns the violations. */
export function runBatch(lane: CrashLane, batch: MatrixBatch): Promise<string[]> {
  return isOfScopes(batch) ? runScopeBatch(lane, batch) : runCrashBatch(lane, batch);
}
