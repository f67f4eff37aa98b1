import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RUNS_ALL } from '../support/selection.js';
import { serviceAddress } from '../support/services/service-address.js';
import { smokeMatrix, wholeMatrix } from './matrix/crash-case.js';
import { nameOf, type MatrixBatch } from './matrix/matrix-batch.js';
import { MatrixRun, type EndedBatch } from './matrix/matrix-run.js';
import { describeMatrix } from './matrix/matrix-table.js';
import { smokeScopeMatrix, wholeScopeMatrix } from './matrix/scope-batch.js';
import { smokeToolServerMatrix, wholeToolServerMatrix } from './matrix/tool-server-cases.js';

/**
 * Every case where everything runs. `npm test` goes through every failpoint once, through every commit of a step of every
 * kind and of three agents at once, and through each step of a call to a tool server. With CRASH_ONLY=<part of a name> only
 * those run that have it in their names.
 */
const HAS_REDIS = serviceAddress('CAPSTAN_TEST_REDIS_URL') !== undefined;
const OF_EACH_QUEUE = (['postgres', 'redis'] as const).flatMap((backend): MatrixBatch[] => [
  ...wholeScopeMatrix(backend),
  ...wholeMatrix(backend),
]);
const WHOLE = [...OF_EACH_QUEUE, ...wholeToolServerMatrix()];
const SMOKE = [...smokeScopeMatrix(), ...smokeMatrix(), ...smokeToolServerMatrix()];
const BATCHES = (RUNS_ALL ? WHOLE : SMOKE).filter(
  (batch) =>
    (HAS_REDIS || batch.backend === 'postgres') && nameOf(batch).includes(process.env['CRASH_ONLY'] ?? ''),
);
const LANES = RUNS_ALL
  ? (['postgres', 'postgres', 'redis', 'redis'] as const)
  : (['postgres', 'redis'] as const);
/** A batch waits for those before it on its lane. */
const LIMIT_MS = RUNS_ALL ? 3_600_000 : 900_000;

describe('a process that dies, or is frozen and overtaken', () => {
  const ended: EndedBatch[] = [];
  const run = new MatrixRun(BATCHES, (batch) => {
    ended.push(batch);
    if (RUNS_ALL) report(batch);
  });

  beforeAll(() => {
    run.start(LANES);
  });
  afterAll(async () => {
    await run.end();
    process.stderr.write(`\n${describeMatrix(ended)}`);
  }, LIMIT_MS);

  it.each(BATCHES.map((batch) => ({ name: nameOf(batch), batch })))(
    '$name',
    async ({ batch }) => {
      expect(await run.outcomes.get(batch)).toEqual([]);
    },
    LIMIT_MS,
  );

  function report({ batch, faults, ms }: EndedBatch): void {
    const seconds = (ms / 1_000).toFixed(1);
    const lines = [`${ended.length}/${BATCHES.length} ${nameOf(batch)} (${seconds} s)`, ...faults];
    process.stderr.write(`${lines.join('\n    VIOLATED ')}\n`);
  }
});
