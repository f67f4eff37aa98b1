import { FAILPOINTS } from '../programs/failpoints.js';
import type { EndedBatch } from './matrix-run.js';

const COLUMNS = (['postgres', 'redis'] as const).flatMap((backend) =>
  (['kill', 'stop'] as const).map((action) => ({ backend, action })),
);
const NAME_WIDTH = Math.max(...FAILPOINTS.map((point) => point.length));
const CELL_WIDTH = 15;

/** How many cases ended as they should, of how many that ran: a row per failpoint, a column per backend and action. */
export function describeMatrix(ended: readonly EndedBatch[]): string {
  const heads = COLUMNS.map(({ backend, action }) => `${backend} ${action}`.padStart(CELL_WIDTH)).join('');
  const rows = FAILPOINTS.map((point) => {
    const cells = COLUMNS.map((column) =>
      countWell(
        ended.filter(
          ({ batch }) =>
            batch.point === point && batch.backend === column.backend && batch.action === column.action,
        ),
      ).padStart(CELL_WIDTH),
    );
    return point.padEnd(NAME_WIDTH) + cells.join('');
  });
  return [''.padEnd(NAME_WIDTH) + heads, ...rows, `crash matrix: ${countWell(ended)}`, ''].join('\n');
}

function countWell(ended: readonly EndedBatch[]): string {
  const casesOf = (batches: readonly EndedBatch[]) =>
    batches.reduce((sum, { batch }) => sum + batch.effects.length, 0);
  if (ended.length === 0) return '-';
  return `${casesOf(ended.filter(({ faults }) => faults.length === 0))}/${casesOf(ended)}`;
}
