import { COMMIT_POINTS, FAILPOINTS, SERVER_POINTS } from '../programs/failpoints.js';
import { TRANSPORTS } from '../services/offer-tool-servers.js';
import type { ToolPlace } from './crash-case.js';
import { casesPerPoint, isOfScopes, pointsOf, type MatrixBatch } from './matrix-batch.js';
import type { EndedBatch } from './matrix-run.js';
import { LOOPS_INSIDE } from './scope-batch.js';

const COLUMNS = (['postgres', 'redis'] as const).flatMap((backend) =>
  (['kill', 'stop'] as const).map((action) => ({ backend, action })),
);
const PLACES: readonly ToolPlace[] = ['worker', ...TRANSPORTS];
/** The rows of executions with one tool, by its place, and of those with loops inside. */
const ROWS = [
  ...PLACES.flatMap((place) =>
    [...FAILPOINTS, ...SERVER_POINTS].map((point) => ({
      point,
      kind: place,
      name: place === 'worker' ? point : `${place}: ${point}`,
    })),
  ),
  ...LOOPS_INSIDE.flatMap((kind) =>
    [...FAILPOINTS, ...COMMIT_POINTS].map((point) => ({ point, kind, name: `${kind}: ${point}` })),
  ),
];
const NAME_WIDTH = Math.max(...ROWS.map(({ name }) => name.length));
const CELL_WIDTH = 15;

/** A row per failpoint, a column per backend and action: the number of cases that passed, of those that ran. */
export function describeMatrix(ended: readonly EndedBatch[]): string {
  const heads = COLUMNS.map(({ backend, action }) => `${backend} ${action}`.padStart(CELL_WIDTH)).join('');
  const rows = ROWS.flatMap(({ point, kind, name }) => {
    const ofRow = ended.filter(({ batch }) => pointsOf(batch).includes(point) && kindOf(batch) === kind);
    const cells = COLUMNS.map(({ backend, action }) =>
      countWell(
        ofRow.filter(({ batch }) => batch.backend === backend && batch.action === action),
        casesPerPoint,
      ).padStart(CELL_WIDTH),
    );
    return ofRow.length === 0 ? [] : [name.padEnd(NAME_WIDTH) + cells.join('')];
  });
  return [''.padEnd(NAME_WIDTH) + heads, ...rows, `crash matrix: ${countWell(ended, casesOf)}`, ''].join(
    '\n',
  );
}

function kindOf(batch: MatrixBatch): string {
  return isOfScopes(batch) ? batch.of : batch.place;
}

function casesOf(batch: MatrixBatch): number {
  return pointsOf(batch).length * casesPerPoint(batch);
}

function countWell(ended: readonly EndedBatch[], casesIn: (batch: MatrixBatch) => number): string {
  const count = (batches: readonly EndedBatch[]) =>
    batches.reduce((sum, { batch }) => sum + casesIn(batch), 0);
  if (ended.length === 0) return '-';
  return `${count(ended.filter(({ faults }) => faults.length === 0))}/${count(ended)}`;
}
