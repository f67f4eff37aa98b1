import { describe, expect, it } from '@jest/globals';
import { AgentWorld } from '../../../../test/support/fakes/agent-world.js';
import {
  asks,
  check,
  DONE,
  REPEATABLE,
  says,
  SCRIPTS,
  toTheEnd,
  UNSAFE,
  usageByScope,
} from '../../../../test/support/fakes/agents-at-work.js';
import { succeeded } from '../../../../test/support/fakes/loop-world.js';
import { callName, ROOT } from './scope-path.js';

describe('agents that call agents', () => {
  it('run side by side, several of one round, and their caller reads what they answer (S4-31)', async () => {
    const agents = new AgentWorld(SCRIPTS);
    const { journal, tools } = agents.world;
    expect(await toTheEnd(agents)).toEqual(DONE);
    check(agents);
    expect([...tools.runs.keys()].toSorted()).toEqual([...UNSAFE, ...REPEATABLE].toSorted());
    // All three run before the first one ends.
    const actions = agents.world.events.events.flatMap(({ event, data }) =>
      event === 'subagent' && !data.scope?.includes('/') ? [`${data.action} ${data.agent_type}`] : [],
    );
    expect(actions.slice(0, 3)).toEqual(['start clerk', 'start scout', 'start scribe']);
    expect(actions.slice(3).toSorted()).toEqual(['stop clerk', 'stop scout', 'stop scribe']);
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

  it('let no unsafe call of their caller begin where what one of them did stays unknown', async () => {
    const agents = new AgentWorld({ clerk: [asks('charge')], root: [asks('clerk', 'charge'), says('done')] });
    const { journal, tools } = agents.world;
    tools.onRun = () => null;
    expect(await agents.attempt()).toMatchObject({ outcome: { error: { code: 'TOOL_OUTCOME_UNKNOWN' } } });
    expect([...tools.runs.keys()]).toEqual(['1.0:1.0']);
    expect([...journal.steps].map(([call, { status }]) => `${call} ${status}`).toSorted()).toEqual([
      '1.0 outcome_unknown',
      '1.0:1.0 outcome_unknown',
      '1.1 refused',
    ]);
    expect(journal.steps.get('1.1')?.output).toMatchObject({
      result: { message: 'the execution ended before this call' },
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

  it('park the execution as a whole when one waits for a person, who sees which', async () => {
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

  it('say whose events are theirs, and the root says nothing of theirs as its own (S4-14, S4-32)', async () => {
    const agents = new AgentWorld(SCRIPTS);
    await toTheEnd(agents);
    const reported = agents.world.events.events.flatMap((event) =>
      event.event === 'text_delta' ? [[event.data.scope, event.data.content]] : [],
    );
    expect(reported).toContainEqual(['1.1/2.0', 'ran']);
    expect(reported.filter(([scope]) => scope === undefined)).toEqual([[undefined, 'done']]);
    const ends = agents.world.events.events.filter((event) => event.event === 'subagent');
    expect(ends).toHaveLength(8);
    expect(ends[0]).toMatchObject({ data: { action: 'start', agent_type: 'clerk', scope: '1.0' } });
    const stops = ends.filter(({ data }) => data.action === 'stop');
    expect(stops.map(({ data }) => [data.scope, data.status])).toContainEqual(['1.1/2.0', 'completed']);
  });
});

describe('how deep, how many, how much', () => {
  it('refuses an agent that would be called five levels deep, visibly (S4-31)', async () => {
    const agents = new AgentWorld({
      root: [asks('nest'), says('done')],
      nest: [asks('nest'), says('deep')],
    });
    expect(await toTheEnd(agents)).toEqual(DONE);
    expect(agents.world.journal.steps.get('1.0/1.0/1.0/1.0:1.0')).toMatchObject({ status: 'refused' });
    expect(agents.planned).toHaveLength(4);
  });

  it('refuses the 33rd agent of an execution, from any caller (S4-31)', async () => {
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

  it('limits an agent to the remaining budget of its caller (S4-33)', async () => {
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
