import { describe, expect, it } from '@jest/globals';
import { planConversation } from './conversation-plan.js';
import { absenceMs, MAX_ABSENCE } from './absences.js';
import { targetOf } from './fault.js';
import { planFaults } from './fault-plan.js';
import { SeededRandom } from './seeded-random.js';
import { SCALED } from './times.js';

const MINUTE = 60_000;

describe('the plan of a run', () => {
  it('follows from the seed alone', () => {
    const plan = (seed: number) => ({
      faults: planFaults(new SeededRandom(seed), { durationMs: MINUTE, backend: 'redis', times: SCALED }),
      turns: planConversation(new SeededRandom(seed), 'lane'),
    });
    expect(plan(7)).toEqual(plan(7));
    expect(plan(7)).not.toEqual(plan(8));
  });

  it('has a fault every 0.7 to 1.4 s, of every kind', () => {
    const plan = planFaults(new SeededRandom(1), {
      durationMs: 10 * MINUTE,
      backend: 'redis',
      times: SCALED,
    });
    const gaps = plan.map(({ atMs }, index) => atMs - (plan[index - 1]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(699);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_401);
    expect(new Set(plan.map(({ fault }) => fault.kind)).size).toBe(19);
  });

  it.each([
    ['postgres', 1],
    ['postgres', 2],
    ['redis', 1],
    ['redis', 2],
  ])('leaves %s in reach most of the time, seed %i', (store, seed) => {
    const plan = planFaults(new SeededRandom(seed), {
      durationMs: 10 * MINUTE,
      backend: 'redis',
      times: SCALED,
    });
    const away = plan.map(({ fault }) => (targetOf(fault) === store ? absenceMs(fault) : 0));
    for (const [index, { atMs }] of plan.entries())
      expect(away.slice(0, index + 1).reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(
        MAX_ABSENCE * (atMs + 1),
      );
  });

  it('leaves Redis alone where there is none', () => {
    const kinds = planFaults(new SeededRandom(1), {
      durationMs: 10 * MINUTE,
      backend: 'postgres',
      times: SCALED,
    }).map(({ fault }) => fault.kind);
    expect(kinds.filter((kind) => kind.startsWith('redis'))).toEqual([]);
  });
});
