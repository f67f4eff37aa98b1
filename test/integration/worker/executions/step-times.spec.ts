import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock, type Clock } from '#libs/kernel';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

const DONE = { result: { status: 'success' as const, result: {} } };

async function databaseTime(): Promise<number> {
  const rows: { ms: number }[] = await world.dataSource.query(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  return rows[0]?.ms ?? Number.NaN;
}

/** Waits by the clock of the database, with which the times in the audit are compared. */
async function letTimePass(ms: number): Promise<number> {
  const until = (await databaseTime()) + ms;
  await waitFor(async () => (await databaseTime()) >= until, { description: 'time to pass' });
  return databaseTime();
}

const hourAhead: Clock = {
  now: () => systemClock.now() + 3_600_000,
  monotonic: () => systemClock.monotonic(),
};

describe('the times of a call in the audit', () => {
  it.each([
    ['right', systemClock],
    ['an hour ahead', hourAhead],
  ])('are its own, and not those of its commit, with a clock that is %s', async (_what, clock) => {
    const ended: Record<string, number> = {};
    const quick = aTool('quick', { run: () => Promise.resolve(DONE) });
    const slow = aTool('slow', {
      run: async () => {
        ended['slow'] = await letTimePass(100);
        return DONE;
      },
    });
    const begunAt = await databaseTime();
    await world.offer([quick, slow]);
    const { id } = await world.submit();
    const model = new ScriptedModel([
      aModelAnswer({ toolCalls: [aCall('quick', 'c1'), aCall('slow', 'c2')] }),
      aModelAnswer({ text: 'Done.' }),
    ]);
    await world.run(id, model, [quick, slow], { clock });
    const steps = await world.stepsOf(id);
    const times = steps.map(({ started_at, finished_at }) => [
      Date.parse(started_at),
      Date.parse(finished_at ?? ''),
    ]);
    const [[quickStart = 0, quickEnd = 0] = [], [slowStart = 0, slowEnd = 0] = []] = times;
    // Both calls were committed after the slow one ended, but the quick one's end is earlier.
    expect(quickEnd).toBeLessThan(ended['slow'] ?? 0);
    expect(quickStart).toBeLessThanOrEqual(quickEnd);
    expect(slowEnd - slowStart).toBeGreaterThanOrEqual(99);
    expect(Math.min(quickStart, slowStart)).toBeGreaterThanOrEqual(Math.floor(begunAt));
    expect(slowEnd).toBeLessThanOrEqual(Math.ceil(await databaseTime()));
  });
});
