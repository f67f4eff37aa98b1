import { COMMIT_POINTS, FAILPOINTS } from '../programs/failpoints.js';
import { casesOf, isOfScopes } from './matrix-batch.js';
import type { EndedBatch } from './matrix-run.js';

const COLUMNS = (['postgres', 'redis'] as const).flatMap((backend) =>
  (['kill', 'stop'] as const).map((action) => ({ backend, action })),
);
/** Those of an execution with one tool, and those of one that calls three agents at once. */
const ROWS = [
  ...FAILPOINTS.map((point) => ({ point, ofScopes: false, name: point })),
  ...[...FAILPOINTS, ...COMMIT_POINTS].map((point) => ({ point, ofScopes: true, name: `agents: ${point}` })),
];
const NAME_WIDTH = Math.max(...ROWS.map(({ name }) => name.length));
const CELL_WIDTH = 15;

/** How many cases ended as they should, of how many that ran: a row per failpoint, a column per backend and action. */
export function describeMatrix(ended: readonly EndedBatch[]): string {
  const heads = COLUMNS.map(({ backend, action }) => `${backend} ${action}`.padStart(CELL_WIDTH)).join('');
  const rows = ROWS.flatMap(({ point, ofScopes, name }) => {
    const ofRow = ended.filter(({ batch }) => batch.point === point && isOfScopes(batch) === ofScopes);
    const cells = COLUMNS.map(({ backend, action }) =>
      countWell(ofRow.filter(({ batch }) => batch.backend === backend && batch.action === action)).padStart(
        CELL_WIDTH,
      ),
    );
    return ofRow.length === 0 ? [] : [name.padEnd(NAME_WIDTH) + cells.join('')];
  });
  return [''.padEnd(NAME_WIDTH) + heads, ...rows, `crash matrix: ${countWell(ended)}`, ''].join('\n');
}

function countWell(ended: readonly EndedBatch[]): string {
  const count = (batches: readonly EndedBatch[]) =>
    batches.reduce((sum, { batch }) => sum + casesOf(batch), 0);
  if (ended.length === 0) return '-';
  return `${count(ended.filter(({ faults }) => faults.length === 0))}/${count(ended)}`;
}
