import { describe, expect, it } from '@jest/globals';
import { runCrashBatch } from '../matrix/run-crash-batch.js';
import { runOverlap } from '../matrix/run-overlap.js';
import { runScopeBatch } from '../matrix/run-scope-batch.js';
import { CrashLane } from '../services/crash-lane.js';

const TIMEOUT_MS = 120_000;

/** Tests that never fail prove nothing: if a protection is left out, the same checks have to notice. */
describe('faults that the crash tests detect', () => {
  const onLane = async (settings: Record<string, string>, run: (lane: CrashLane) => Promise<string[]>) => {
    const lane = await CrashLane.open('postgres', settings);
    try {
      return await run(lane);
    } finally {
      await lane.close();
    }
  };
  const chargeOnce = {
    backend: 'postgres',
    points: ['tool.after_effect_before_commit'],
    action: 'kill',
    effects: ['unsafe'],
    place: 'worker',
  } as const;

  it(
    'nothing, when a worker that was overtaken goes on beside its successor',
    async () => {
      expect(await onLane({}, runOverlap)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'the same without the fence: both write what the tool answered',
    async () => {
      expect(await onLane({ WITHOUT_PROTECTION: 'fence' }, runOverlap)).toContainEqual(
        expect.stringContaining('a call is settled twice'),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'a second charge, when an unsafe tool is taken for one that may be repeated',
    async () => {
      const violations = await onLane({ WITHOUT_PROTECTION: 'effect_class' }, async (lane) => [
        ...(await runCrashBatch(lane, chargeOnce)),
        ...(await runScopeBatch(lane, {
          ...chargeOnce,
          point: chargeOnce.points[0],
          of: 'agents',
          visits: 4,
        })),
      ]);
      expect(violations).toContain(
        'tool.after_effect_before_commit, unsafe: first: the tool took effect 2 times',
      );
      expect(violations).toContainEqual(expect.stringContaining('the unsafe call was made 2 times'));
    },
    TIMEOUT_MS,
  );

  it(
    'the same of every unsafe call of a pipeline',
    async () => {
      const violations = await onLane({ WITHOUT_PROTECTION: 'effect_class' }, (lane) =>
        runScopeBatch(lane, { ...chargeOnce, point: chargeOnce.points[0], of: 'steps', visits: 8 }),
      );
      for (const call of ['2.0:1.0', '3.0', '3.1', '3.2'])
        expect(violations).toContainEqual(
          expect.stringContaining(`the unsafe call ${call} was made 2 times`),
        );
    },
    TIMEOUT_MS,
  );

  it(
    'the same at a tool server, when its tenant says that an unsafe tool only reads',
    async () => {
      const violations = await onLane({}, async (lane) => {
        await lane.serverAgents();
        await lane.database.query(
          `UPDATE tool_server SET tools = tools || '{"watched_charge": {"effect": "read"}}', version = version + 1
            WHERE name = 'http'`,
        );
        return runCrashBatch(lane, { ...chargeOnce, points: ['tool.during_call'], place: 'http' });
      });
      expect(violations).toContain('tool.during_call, unsafe: first: the tool took effect 2 times');
    },
    TIMEOUT_MS,
  );
});
