import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RUNS_ALL } from '../../support/selection.js';
import type { QueueBackend } from '../../support/services/deployment.js';
import { smokeMatrix, wholeMatrix } from './crash-case.js';
import { nameOf } from './matrix-batch.js';
import { MatrixRun, type EndedBatch } from './matrix-run.js';
import { describeMatrix } from './matrix-table.js';
import { smokeScopeMatrix, wholeScopeMatrix } from './scope-batch.js';
import { smokeToolServerMatrix, wholeToolServerMatrix } from './tool-server-cases.js';

/** Milliseconds; a batch waits for earlier batches on its lane. */
const LIMIT_MS = RUNS_ALL ? 3_600_000 : 900_000;

/**
 * Registers the cases of one queue: all of them in the full run. In `npm test` both queues together cover every failpoint,
 * every commit of a step of every kind and of three agents at once, and each step of a call to a tool server. With
 * CRASH_ONLY=<part of a name> only cases with this part in their names run.
 */
export function dieEverywhere(queue: QueueBackend): void {
  const all = RUNS_ALL
    ? [...wholeScopeMatrix(queue), ...wholeMatrix(queue), ...wholeToolServerMatrix()]
    : [...smokeScopeMatrix(), ...smokeMatrix(), ...smokeToolServerMatrix()];
  const chosenName = process.env['CRASH_ONLY'] ?? '';
  const batches = all.filter((batch) => batch.backend === queue && nameOf(batch).includes(chosenName));
  if (batches.length === 0) {
    it(`has no case with "${chosenName}" in its name`, () => expect(chosenName).not.toBe(''));
    return;
  }
  const ended: EndedBatch[] = [];
  const run = new MatrixRun(batches, (batch) => {
    ended.push(batch);
    if (RUNS_ALL) report(batch);
  });

  beforeAll(() => {
    run.start(RUNS_ALL ? [queue, queue] : [queue]);
  });
  afterAll(async () => {
    await run.end();
    process.stderr.write(`\n${describeMatrix(ended)}`);
  }, LIMIT_MS);

  it.each(batches.map((batch) => ({ name: nameOf(batch), batch })))(
    '$name',
    async ({ batch }) => {
      expect(await run.outcomes.get(batch)).toEqual([]);
    },
    LIMIT_MS,
  );

  function report({ batch, faults, ms }: EndedBatch): void {
    const seconds = (ms / 1_000).toFixed(1);
    const lines = [`${ended.length}/${batches.length} ${nameOf(batch)} (${seconds} s)`, ...faults];
    process.stderr.write(`${lines.join('\n    VIOLATED ')}\n`);
  }
}
