import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { whenAllRun } from '../../support/selection.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { waitFor } from '../../support/services/wait-for.js';
import { endingBreakages } from '../rolling/checks/evaluate-rolling.js';
import type { RollingLoad } from '../rolling/rolling-load.js';
import { runRolling, type RollingOptions } from '../rolling/run-rolling.js';

const TIMEOUT_MS = 240_000;
/** Each worker is replaced once, including the one that holds the work. */
const WORKERS = 2;

/** The short form of `npm run rolling`, which also measures how long executions take. */
describe('workers that are replaced one by one, under load', () => {
  const roll = async (ending: RollingOptions['ending']) => {
    /** Waits, so that each restart hits a worker with executions in progress. */
    const untilMoreEnded = async (load: RollingLoad): Promise<void> => {
      const enough = load.ended + 8;
      await waitFor(() => load.ended >= enough, { description: 'executions to end' });
    };
    const world = await runRolling({
      database: await createSeededDatabase(),
      ...{ workers: WORKERS, width: 12, replacements: WORKERS, ending, successor: null },
      warmUp: () => Promise.resolve(),
      untilNext: untilMoreEnded,
    });
    return endingBreakages(world);
  };

  it(
    'fail nothing, lose nothing, and end by themselves',
    async () => expect(await roll('drain')).toEqual([]),
    TIMEOUT_MS,
  );

  whenAllRun(() => {
    it(
      'would be noticed if they did not drain',
      async () => {
        const kinds = (await roll('kill')).map(({ kind }) => kind);
        expect(kinds).toContain('lost');
      },
      TIMEOUT_MS,
    );
  });
});

whenAllRun(() => {
  it('npm run rolling starts, and says how it is used', () => {
    const args = [join(import.meta.dirname, '../rolling/rolling.mjs'), '--minutes', 'some'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: TIMEOUT_MS });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('usage: npm run rolling'),
    });
  });
});
