import { describe, expect, it } from '@jest/globals';
import { AgentWorld } from '../../../../test/support/fakes/agent-world.js';
import {
  check,
  commitsOf,
  DONE,
  REPEATABLE,
  SCRIPTS,
  toTheEnd,
  UNSAFE,
  usageByScope,
} from '../../../../test/support/fakes/agents-at-work.js';

describe('a worker dies, another carries on, in every scope', () => {
  const COMMITS = 16;
  const moments = Array.from({ length: COMMITS }, (_, index) => index + 1).flatMap((at) => [
    { at, when: 'before' as const },
    { at, when: 'after' as const },
  ]);

  it('covers every commit of the run', async () => {
    expect(await commitsOf([])).toBeLessThanOrEqual(COMMITS);
    expect(await commitsOf(['charge'])).toBeLessThanOrEqual(COMMITS);
  });

  describe.each([
    ['', []],
    [', one of them asks for approval', ['charge']],
  ])('three agents at once%s', (_name, needsApproval) => {
    it.each(moments)('$when commit $at', async ({ at, when }) => {
      const agents = new AgentWorld(SCRIPTS, { needsApproval });
      agents.world.journal.dieAt(at, when);
      const result = await toTheEnd(agents);
      check(agents);
      const { steps } = agents.world.journal;
      const isUnknown = [...steps.values()].some((step) => step.status === 'outcome_unknown');
      if (isUnknown) expect(result).toMatchObject({ outcome: { error: { code: 'TOOL_OUTCOME_UNKNOWN' } } });
      else {
        expect(result).toEqual(DONE);
        for (const call of [...UNSAFE, ...REPEATABLE]) expect(agents.world.tools.runs.has(call)).toBe(true);
        expect(usageByScope(agents)).toEqual({ '': 45, '1.0': 30, '1.1': 45, '1.1/2.0': 30, '1.2': 15 });
      }
    });
  });

  it('two die one after the other, and a person who knows makes every side effect happen once', async () => {
    let asked = 0;
    for (const first of moments)
      for (const second of moments.filter(({ at }) => at <= 8)) {
        const agents = new AgentWorld(SCRIPTS, { onUnknown: 'ask' });
        agents.world.journal.dieAt(first.at, first.when).thenAt(second.at, second.when);
        expect([first, second, await toTheEnd(agents)]).toEqual([first, second, DONE]);
        check(agents);
        for (const call of UNSAFE) expect(agents.world.tools.runs.get(call)).toBe(1);
        asked += agents.world.journal.parked.length;
      }
    expect(asked).toBeGreaterThan(0);
  });
});
