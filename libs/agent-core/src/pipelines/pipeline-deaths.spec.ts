import { describe, expect, it } from '@jest/globals';
import { toTheEnd, usageByScope } from '../../../../test/support/fakes/agents-at-work.js';
import {
  ANSWERS,
  DONE,
  kindsOf,
  pipelineOf,
  SCRIPTS,
  WHOLE,
} from '../../../../test/support/fakes/pipeline-world.js';
import { foldEntries } from '../execution-state.js';

describe('a worker dies in a pipeline, another carries on', () => {
  const COMMITS = 16;
  const moments = Array.from({ length: COMMITS }, (_, index) => index + 1).flatMap((at) => [
    { at, when: 'before' as const },
    { at, when: 'after' as const },
  ]);

  it('covers every commit of the run', async () => {
    const agents = pipelineOf(WHOLE, SCRIPTS, ANSWERS);
    await toTheEnd(agents);
    expect(agents.world.journal.commits).toBeLessThanOrEqual(COMMITS);
  });

  it.each(moments)(
    '$when commit $at: the same answer, and nothing unsafe twice (S3-35)',
    async ({ at, when }) => {
      const agents = pipelineOf(WHOLE, SCRIPTS, ANSWERS);
      const { journal, tools } = agents.world;
      journal.dieAt(at, when);
      const result = await toTheEnd(agents);
      expect(journal.settlements).toHaveLength(1);
      for (const call of ['3.0', '4.0:1.0']) expect(tools.runs.get(call) ?? 0).toBeLessThanOrEqual(1);
      const isUnknown = [...journal.steps.values()].some(({ status }) => status === 'outcome_unknown');
      if (isUnknown) expect(result).toMatchObject({ outcome: { error: { code: 'TOOL_OUTCOME_UNKNOWN' } } });
      else {
        expect(result).toEqual(DONE);
        expect(kindsOf(journal.entries)).toHaveLength(9);
        expect(usageByScope(agents)).toEqual({ '1.0': 30, '4.0': 30 });
      }
      expect(journal.settlements[0]?.usage.map(({ scope }) => scope)).not.toContain('');
      expect([...journal.steps.values()].filter(({ status }) => status === 'started')).toEqual([]);
      const stepByStep = journal.entries.reduce(
        (state, entry) => foldEntries([entry], state),
        foldEntries([]),
      );
      expect(foldEntries(journal.entries)).toEqual(stepByStep);
    },
  );

  it('twice, and a person who knows makes every side effect happen once', async () => {
    for (const first of moments)
      for (const second of moments.filter(({ at }) => at <= 6)) {
        const agents = pipelineOf(WHOLE, SCRIPTS, { ...ANSWERS, onUnknown: 'ask' });
        agents.world.journal.dieAt(first.at, first.when).thenAt(second.at, second.when);
        expect([first, second, await toTheEnd(agents)]).toEqual([first, second, DONE]);
        for (const call of ['3.0', '4.0:1.0']) expect(agents.world.tools.runs.get(call)).toBe(1);
      }
  });
});
