import { describe, expect, it } from '@jest/globals';
import type { AgentWorld } from '../../../../test/support/fakes/agent-world.js';
import { says, toTheEnd } from '../../../../test/support/fakes/agents-at-work.js';
import { pipelineOf, stepsOf } from '../../../../test/support/fakes/pipeline-world.js';
import { foldEntries } from '../execution-state.js';
import type { JournalEntry } from '../journal-entry.js';
import { projectRunSteps } from '../run-step.js';
import { unwrittenFacts } from '../unwritten-facts.js';

const NEVER = { when: { value: '/input', exists: false } };
/** Skipped: the first by its condition, two by a branch, one more by its condition. */
const STEPS = stepsOf(
  { name: 'early', kind: 'llm', prompt: 'x', ...NEVER },
  { name: 'find', kind: 'tool', tool: 'search' },
  { name: 'choose', kind: 'branch', cases: [{ when: { value: '/input', exists: true }, then: 'late' }] },
  { name: 'pay', kind: 'tool', tool: 'charge', ...NEVER },
  { name: 'repay', kind: 'tool', tool: 'charge' },
  { name: 'late', kind: 'llm', prompt: 'x', ...NEVER },
  { name: 'draft', kind: 'llm', prompt: 'x' },
);
const skipping = (): AgentWorld => pipelineOf(STEPS, { draft: [says('drafted')] });

const eventsOf = ({ world }: AgentWorld): object[] =>
  world.events.events.flatMap(({ event, data }) => (event === 'step_skipped' ? [data] : []));
const rowsOf = ({ world }: AgentWorld): string[] =>
  [...world.journal.steps].map(([place, { callId, status, output }]) =>
    [place, callId, status, ...(status === 'skipped' ? [JSON.stringify(output)] : [])].join(' '),
  );
const ROWS = [
  '0.0 early skipped {"because":"condition"}',
  '1.0 find succeeded',
  '1.2 pay skipped {"because":"branch"}',
  '1.3 repay skipped {"because":"branch"}',
  '1.4 late skipped {"because":"condition"}',
  '2.0 draft succeeded',
];

describe('steps that are skipped', () => {
  it('are reported to followers, each with why, once (S3-35)', async () => {
    const agents = skipping();
    await toTheEnd(agents);
    expect(eventsOf(agents)).toEqual([
      { step: 'early', because: 'condition' },
      { step: 'pay', because: 'branch' },
      { step: 'repay', because: 'branch' },
      { step: 'late', because: 'condition' },
    ]);
  });

  it('are in the audit, between the calls that they stand between (S2-6, S3-35)', async () => {
    const agents = skipping();
    await toTheEnd(agents);
    expect(rowsOf(agents).toSorted()).toEqual(ROWS);
  });

  it('are reported of a pipeline inside with its scope', async () => {
    const pipeline = {
      steps: stepsOf({ name: 'no', kind: 'llm', prompt: 'x', ...NEVER }),
      given: { input: 1 },
    };
    const agents = pipelineOf(
      stepsOf({ name: 'inner', kind: 'agent', agent: 7, prompt: 'x' }),
      { inner: [] },
      { rules: { inner: { pipeline, maximumIterations: Number.MAX_SAFE_INTEGER } } },
    );
    await toTheEnd(agents);
    expect(eventsOf(agents)).toEqual([{ step: 'no', because: 'condition', scope: '1.0' }]);
    expect(agents.world.journal.steps.get('1.0:0.0')).toMatchObject({ callId: 'no', status: 'skipped' });
  });

  it.each(Array.from({ length: 8 }, (_, index) => index + 1))(
    'are in the audit once where a worker dies at commit %d (S3-35)',
    async (at) => {
      for (const when of ['before', 'after'] as const) {
        const agents = skipping();
        agents.world.journal.dieAt(at, when);
        await toTheEnd(agents);
        expect(rowsOf(agents).toSorted()).toEqual(ROWS);
        const skips = agents.world.journal.entries.filter(({ kind }) => kind === 'step_settled');
        expect(skips).toHaveLength(STEPS.length);
      }
    },
  );

  it('keep their place when they are written together with other steps', async () => {
    const agents = skipping();
    await toTheEnd(agents);
    const { entries } = agents.world.journal;
    const rows = projectRunSteps(entries, foldEntries(entries)).map(
      ({ round, position, callId }) => `${round}.${position} ${callId}`,
    );
    expect(rows.toSorted()).toEqual(ROWS.map((row) => row.split(' ').slice(0, 2).join(' ')));
  });

  it('have their row where a write that failed is made up for', () => {
    const skipped: JournalEntry = {
      kind: 'step_settled',
      step: 'early',
      outcome: { status: 'skipped', because: 'condition' },
    };
    const runSteps = projectRunSteps([skipped], foldEntries([skipped]));
    expect(unwrittenFacts({ entries: [skipped], runSteps }, [])).toEqual({ entries: [skipped], runSteps });
    expect(unwrittenFacts({ entries: [skipped], runSteps }, [skipped]).runSteps).toEqual([]);
  });

  it('say nothing of why where an older release has not', () => {
    const skipped: JournalEntry = { kind: 'step_settled', step: 'early', outcome: { status: 'skipped' } };
    expect(projectRunSteps([skipped], foldEntries([skipped]))).toMatchObject([
      { status: 'skipped', output: null },
    ]);
  });
});
