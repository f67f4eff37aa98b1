import { describe, expect, it } from '@jest/globals';
import { aCall, aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { AgentWorld, type AgentScripts } from '../../../../test/support/fakes/agent-world.js';
import { succeeded } from '../../../../test/support/fakes/loop-world.js';
import { EMPTY_STATE, foldEntries } from '../execution-state.js';
import type { ExecutionOutcome, JournalEntry } from '../journal-entry.js';
import { callName, parseCallName, ROOT } from './scope-path.js';

const says = (text: string) => aModelAnswer({ text });
const asks = (...tools: string[]) =>
  aModelAnswer({ toolCalls: tools.map((tool, index) => aCall(tool, `c${index}`, { n: index })) });

/** Three agents at once, then a charge: one refunds, which is unsafe, one looks twice and calls an agent of its own. */
const SCRIPTS: AgentScripts = {
  root: [asks('clerk', 'scout', 'scribe'), asks('charge'), says('done')],
  clerk: [asks('charge', 'search'), says('refunded')],
  scout: [asks('search', 'search'), asks('runner'), says('seen')],
  runner: [asks('charge'), says('ran')],
  scribe: [says('written')],
};
const UNSAFE = ['1.0:1.0', '1.1/2.0:1.0', '2.0'];
const REPEATABLE = ['1.0:1.1', '1.1:1.0', '1.1:1.1'];
const DONE = { kind: 'settled', outcome: { status: 'completed', text: 'done' } };

interface Ending {
  readonly kind: 'settled';
  readonly outcome: ExecutionOutcome;
}

/** Worker after worker, and a person who agrees, and who knows what has happened, until the execution has settled. */
async function toTheEnd(agents: AgentWorld): Promise<Ending> {
  const { journal, tools } = agents.world;
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    const result = await agents.attempt();
    if (result === 'died') journal.revive();
    const { outcome } = foldEntries(journal.entries);
    if (outcome) return { kind: 'settled', outcome };
    if (journal.isParked)
      journal.decide(
        ...(journal.parked.at(-1) ?? []).map(({ call, asks }): JournalEntry => {
          const { scope, ...at } = parseCallName(call);
          const of = { ...at, ...(scope !== ROOT && { scope }) };
          if (asks === 'approval') return { kind: 'approval_decided', ...of, approved: true, reason: '' };
          const report = tools.runs.has(call)
            ? { kind: 'happened' as const, output: null }
            : { kind: 'did_not_happen' as const };
          return { kind: 'outcome_reported', ...of, report, reason: '' };
        }),
      );
  }
  throw new Error('it does not come to an end');
}

function settledCalls(entries: readonly JournalEntry[]): string[] {
  return entries.flatMap((entry) =>
    entry.kind === 'tool_call_settled' ? [callName(entry.scope ?? ROOT, entry)] : [],
  );
}

/** What is promised wherever a worker dies. */
function check(agents: AgentWorld): void {
  const { journal, tools } = agents.world;
  expect(journal.settlements).toHaveLength(1);
  for (const call of UNSAFE) expect([call, (tools.runs.get(call) ?? 0) <= 1]).toEqual([call, true]);
  const settled = settledCalls(journal.entries);
  expect(settled.toSorted()).toEqual([...new Set(settled)].toSorted());
  expect([...journal.steps.values()].filter((step) => step.status === 'started')).toEqual([]);
  const stepByStep = journal.entries.reduce((state, entry) => foldEntries([entry], state), EMPTY_STATE);
  expect(foldEntries(journal.entries)).toEqual(stepByStep);
  const opened = journal.entries.filter((entry) => entry.kind === 'scope_opened').map((entry) => entry.scope);
  expect(opened).toEqual([...new Set(opened)]);
}

/** Usage by scope, as it was settled. */
function usageByScope({ world }: AgentWorld): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { scope, tokens } of world.journal.settlements[0]?.usage ?? [])
    sums[scope] = (sums[scope] ?? 0) + (tokens?.total_tokens ?? 0);
  return sums;
}

async function commitsOf(needsApproval: readonly string[]): Promise<number> {
  const agents = new AgentWorld(SCRIPTS, { needsApproval });
  expect(await toTheEnd(agents)).toEqual(DONE);
  return agents.world.journal.commits;
}

describe('agents that call agents', () => {
  it('run side by side, several of one round, and their caller reads what they answer (S4-31)', async () => {
    const agents = new AgentWorld(SCRIPTS);
    const { journal, tools } = agents.world;
    expect(await toTheEnd(agents)).toEqual(DONE);
    check(agents);
    expect([...tools.runs.keys()].toSorted()).toEqual([...UNSAFE, ...REPEATABLE].toSorted());
    expect(journal.steps.get('1.1')).toMatchObject({
      status: 'succeeded',
      output: { status: 'success', result: { message: 'seen' } },
    });
    expect(journal.settlements[0]?.messages).toMatchObject([{ role: 'user' }, { content: 'done' }]);
    expect(journal.settlements[0]).toMatchObject({
      totalTokens: { total_tokens: 165 },
      totalCostUsd: '4.75',
    });
  });

  it('are charged apart, to the token, and as the model was asked (S4-33)', async () => {
    const agents = new AgentWorld(SCRIPTS);
    await toTheEnd(agents);
    expect(usageByScope(agents)).toEqual({ '': 45, '1.0': 30, '1.1': 45, '1.1/2.0': 30, '1.2': 15 });
    expect(Object.fromEntries(agents.models.charged)).toEqual({
      root: 45,
      clerk: 30,
      scout: 45,
      runner: 30,
      scribe: 15,
    });
  });

  it('share their appends: those that go on at once cost no commits of their own', async () => {
    const looker = [asks('search'), says('seen')];
    const swarm = Array.from({ length: 8 }, () => 'looker');
    const one = new AgentWorld({ looker, root: [asks('looker'), says('done')] });
    const many = new AgentWorld({ looker, root: [asks(...swarm), says('done')] });
    await toTheEnd(one);
    await toTheEnd(many);
    expect(many.world.journal.commits).toBeLessThanOrEqual(one.world.journal.commits + 1);
  });

  it.each([null, 3, 4, 5, 6])(
    'run one after the other where they are declared unsafe, death at %s',
    async (at) => {
      const agents = new AgentWorld(SCRIPTS, { unsafeAgents: ['clerk', 'scout', 'scribe'] });
      agents.world.tools.onRun = ({ toolName }) => succeeded(`ok ${toolName}`);
      if (at !== null) agents.world.journal.dieAt(at, 'after');
      const result = await toTheEnd(agents);
      check(agents);
      if (at === null) expect(result).toEqual(DONE);
      const open = new Set<string>();
      for (const event of agents.world.events.events) {
        if (event.event !== 'subagent' || event.data.scope?.includes('/')) continue;
        if (event.data.action === 'start') open.add(event.data.scope ?? '');
        else open.delete(event.data.scope ?? '');
        expect(open.size).toBeLessThanOrEqual(1);
      }
    },
  );

  it('park the execution as a whole when one waits for a person, who is told which', async () => {
    const agents = new AgentWorld(SCRIPTS, { needsApproval: ['charge'] });
    expect(await agents.attempt()).toMatchObject({ kind: 'parked' });
    expect(agents.world.journal.parked.at(-1)).toMatchObject([
      { call: '1.0:1.0', scope: '1.0', asks: 'approval', tool_name: 'charge' },
      { call: '1.1/2.0:1.0', scope: '1.1/2.0', asks: 'approval' },
    ]);
    expect(agents.world.journal.steps.get('1.2')?.status).toBe('succeeded');
    expect(agents.world.tools.runs.has('1.0:1.0')).toBe(false);
  });

  it('end with their caller when a call inside may have happened', async () => {
    const agents = new AgentWorld(SCRIPTS);
    agents.world.tools.onRun = ({ scope, toolName }) => {
      if (scope === '1.0' && toolName === 'charge') agents.world.journal.dieAt(1, 'before');
      return succeeded('ok');
    };
    const result = await toTheEnd(agents);
    expect(result).toMatchObject({ outcome: { status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } } });
    check(agents);
  });

  it('stage what their tools prepared in the order of the calls', async () => {
    const agents = new AgentWorld(SCRIPTS);
    agents.world.tools.onRun = (call) =>
      succeeded('ok', { staged: [{ kind: 'did', data: { key: callName(call.scope, call) } }] });
    await toTheEnd(agents);
    const staged = agents.world.journal.settlements[0]?.staged.map(({ data }) => data['key']);
    expect(staged).toEqual(['1.0:1.0', '1.0:1.1', '1.1:1.0', '1.1:1.1', '1.1/2.0:1.0', '2.0']);
  });

  it('say whose events are theirs, and the root says nothing of theirs as its own', async () => {
    const agents = new AgentWorld(SCRIPTS);
    await toTheEnd(agents);
    const told = agents.world.events.events.flatMap((event) =>
      event.event === 'text_delta' ? [[event.data.scope, event.data.content]] : [],
    );
    expect(told).toContainEqual(['1.1/2.0', 'ran']);
    expect(told.filter(([scope]) => scope === undefined)).toEqual([[undefined, 'done']]);
    const ends = agents.world.events.events.filter((event) => event.event === 'subagent');
    expect(ends).toHaveLength(8);
    expect(ends[0]).toMatchObject({ data: { action: 'start', agent_type: 'clerk', scope: '1.0' } });
  });
});

describe('how deep, how many, how much', () => {
  it('refuses an agent that would be called five levels deep, visibly', async () => {
    const agents = new AgentWorld({
      root: [asks('nest'), says('done')],
      nest: [asks('nest'), says('deep')],
    });
    expect(await toTheEnd(agents)).toEqual(DONE);
    expect(agents.world.journal.steps.get('1.0/1.0/1.0/1.0:1.0')).toMatchObject({ status: 'refused' });
    expect(agents.planned).toHaveLength(4);
  });

  it('refuses the 33rd agent of an execution, whoever calls it', async () => {
    const many = Array.from({ length: 20 }, () => 'scribe');
    const agents = new AgentWorld({ ...SCRIPTS, root: [asks(...many), asks(...many), says('done')] });
    expect(await toTheEnd(agents)).toEqual(DONE);
    const steps = [...agents.world.journal.steps.values()].filter((step) => step.scope === ROOT);
    expect(steps.filter((step) => step.status === 'succeeded')).toHaveLength(32);
    expect(agents.world.journal.steps.get('2.12')).toMatchObject({ status: 'refused' });
    expect(agents.world.journal.entries).toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ reason: 'agent_call_limit' }) }),
    );
  });

  it('lets nobody spend more than its caller has left', async () => {
    const budget = { total_tokens: 50, cost: null, rounds: null };
    const agents = new AgentWorld(SCRIPTS, { rules: { root: { budget } } });
    const result = await toTheEnd(agents);
    expect(result).toMatchObject({ outcome: { status: 'incomplete', reason: 'budget' } });
    expect(agents.world.journal.steps.get('1.1')?.output).toMatchObject({
      result: { message: '[The agent stopped before it was done: budget]' },
    });
    check(agents);
  });

  it('answers a call of an agent that has vanished, and leaves nothing of it open', async () => {
    const agents = new AgentWorld(SCRIPTS, { needsApproval: ['charge'] });
    expect(await agents.attempt()).toMatchObject({ kind: 'parked' });
    agents.gone.add('scout');
    expect(await toTheEnd(agents)).toMatchObject(DONE);
    expect(agents.world.journal.steps.get('1.1')).toMatchObject({ status: 'failed' });
    check(agents);
  });
});

describe('whoever stops the execution', () => {
  it.each([
    ['cancelled', { status: 'cancelled' }],
    ['deadline', { status: 'incomplete', reason: 'timeout' }],
  ] as const)('%s reaches every agent inside', async (reason, outcome) => {
    const agents = new AgentWorld(SCRIPTS, { needsApproval: ['charge'] });
    // By then the clerk waits for a person, and the others go on.
    agents.onPlan = (name) => {
      if (name === 'runner') agents.world.stop(reason);
    };
    expect(await toTheEnd(agents)).toMatchObject({ kind: 'settled', outcome });
    check(agents);
    expect(foldEntries(agents.world.journal.entries).children.get('1.0')?.outcome).toMatchObject({
      status: outcome.status,
    });
    for (const call of UNSAFE) expect(agents.world.tools.runs.has(call)).toBe(false);
  });

  it('a drain stops every agent at its next boundary, and the next worker goes on', async () => {
    const agents = new AgentWorld(SCRIPTS);
    agents.world.tools.onRun = () => {
      agents.world.drain.abort();
      return succeeded('ok');
    };
    expect(await agents.attempt()).toEqual({ kind: 'interrupted' });
    const runs = new Map(agents.world.tools.runs);
    const next = new AgentWorld(SCRIPTS);
    Object.assign(next.world, { journal: agents.world.journal });
    expect(await toTheEnd(next)).toEqual(DONE);
    for (const [call] of runs) expect(next.world.tools.runs.has(call)).toBe(false);
    check(next);
  });
});

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
  }, 60_000);
});
