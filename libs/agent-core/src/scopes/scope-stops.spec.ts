import { describe, expect, it } from '@jest/globals';
import { AgentWorld, type AgentWorldOptions } from '../../../../test/support/fakes/agent-world.js';
import {
  asks,
  check,
  DONE,
  says,
  SCRIPTS,
  toTheEnd,
  UNSAFE,
} from '../../../../test/support/fakes/agents-at-work.js';
import { succeeded } from '../../../../test/support/fakes/loop-world.js';
import { foldEntries } from '../execution-state.js';

describe('limits of a caller for its agent', () => {
  it('end only the agent whose time is up, with its partial answer', async () => {
    const agents = new AgentWorld(
      {
        root: [asks('clerk', 'scribe'), says('done')],
        clerk: [asks('search'), asks('charge'), says('no')],
        scribe: [says('written')],
      },
      { limits: { clerk: { timeoutMs: 500 } } },
    );
    agents.world.tools.onRun = ({ toolName }) => {
      // The tool exceeds the time limit of its agent.
      if (toolName === 'search') agents.timeouts.get('clerk')?.();
      return succeeded('ok');
    };
    expect(await toTheEnd(agents)).toEqual(DONE);
    check(agents);
    expect(agents.world.journal.steps.get('1.0')).toMatchObject({
      status: 'succeeded',
      output: { result: { message: '[The agent stopped before it was done: timeout]' } },
    });
    expect(agents.world.journal.steps.get('1.1')?.output).toMatchObject({ result: { message: 'written' } });
    expect(agents.world.tools.runs.has('1.0:2.0')).toBe(false);
    const late = agents.world.journal.entries.filter(({ kind }) => kind === 'deadline_reached');
    expect(late.map(({ scope }) => scope)).toEqual(['1.0']);
  });

  describe('for how long', () => {
    /** The clerk's worker dies while its second model call is under way. */
    const dying = (options: AgentWorldOptions = {}): AgentWorld => {
      const agents = new AgentWorld(
        {
          root: [asks('clerk'), says('done')],
          clerk: [asks('charge'), says('charged'), says('charged')],
        },
        { limits: { clerk: { timeoutMs: 500 } }, ...options },
      );
      agents.world.tools.onRun = () => succeeded('ok');
      return agents;
    };

    it.each([
      [200, [500, 300], 'charged'],
      [500, [500], '[The agent stopped before it was done: timeout]'],
    ])('counts from its call, also for who takes over %i ms later', async (spentMs, granted, message) => {
      const agents = dying();
      agents.world.journal.dieAt(3, 'after');
      expect(await agents.attempt()).toBe('died');
      agents.world.journal.revive();
      agents.world.remainingMs -= spentMs;
      await agents.attempt();
      expect(agents.granted).toEqual(granted);
      expect(agents.world.journal.steps.get('1.0')?.output).toMatchObject({ result: { message } });
      check(agents);
    });

    it('begins anew, for all who follow, when a person has decided', async () => {
      const agents = dying({ needsApproval: ['charge'] });
      const { journal } = agents.world;
      agents.world.remainingMs -= 200;
      expect(await agents.attempt()).toMatchObject({ kind: 'parked' });
      journal.decide({
        kind: 'approval_decided',
        scope: '1.0',
        round: 1,
        position: 0,
        approved: true,
        reason: '',
      });
      agents.world.remainingMs = agents.world.timeoutMs;
      journal.dieAt(2, 'before');
      expect(await agents.attempt()).toBe('died');
      journal.revive();
      agents.world.remainingMs -= 100;
      await agents.attempt();
      expect(agents.granted).toEqual([500, 500, 400]);
    });

    it('is as long as it was in every attempt where an older release did not write down when it began', async () => {
      const agents = dying();
      const { journal } = agents.world;
      journal.dieAt(3, 'after');
      await agents.attempt();
      journal.revive();
      journal.execution.facts.forEach(({ entry }) => {
        if (entry.kind === 'scope_opened') Reflect.deleteProperty(entry, 'remainingMs');
      });
      agents.world.remainingMs -= 200;
      await agents.attempt();
      expect(agents.granted).toEqual([500, 500]);
    });
  });

  it('reaches those that it calls itself', async () => {
    const agents = new AgentWorld(SCRIPTS, { limits: { scout: { timeoutMs: 500 } } });
    agents.onPlan = (name) => {
      if (name === 'runner') agents.timeouts.get('scout')?.();
    };
    expect(await toTheEnd(agents)).toEqual(DONE);
    check(agents);
    const { children } = foldEntries(agents.world.journal.entries);
    for (const scope of ['1.1', '1.1/2.0'])
      expect(children.get(scope)?.outcome).toMatchObject({ status: 'incomplete', reason: 'timeout' });
    expect(agents.world.tools.runs.has('1.1/2.0:1.0')).toBe(false);
    expect(children.get('1.0')?.outcome).toMatchObject({ status: 'completed' });
  });
});

describe('a stop of the execution', () => {
  it.each([
    ['cancelled', { status: 'cancelled' }],
    ['deadline', { status: 'incomplete', reason: 'timeout' }],
  ] as const)('%s reaches every agent inside', async (reason, outcome) => {
    const agents = new AgentWorld(SCRIPTS, { needsApproval: ['charge'] });
    // By then the clerk waits for a person, and the other agents continue.
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

  it.each([
    ['cancelled', 'search', { status: 'cancelled' }, 'failed'],
    ['deadline', 'search', { status: 'incomplete', reason: 'timeout' }, 'succeeded'],
    ['cancelled', 'charge', { status: 'cancelled' }, 'outcome_unknown'],
    ['deadline', 'charge', { status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } }, 'outcome_unknown'],
  ] as const)(
    '%s ends an agent whose tools are not there, after a %s that ended or may have happened',
    async (reason, tool, outcome, status) => {
      const agents = new AgentWorld({
        root: [asks('clerk'), says('done')],
        clerk: [asks(tool), asks('search'), says('no')],
      });
      const { journal, events } = agents.world;
      agents.world.tools.onRun = () => {
        if (tool === 'charge') journal.dieAt(1, 'before');
        return succeeded('ok');
      };
      if (tool === 'search') journal.dieAt(3, 'after');
      expect(await agents.attempt()).toBe('died');
      journal.revive();
      agents.stalled.add('clerk');
      agents.world.stop(reason);
      expect(await agents.attempt()).toMatchObject({ kind: 'settled', outcome });
      check(agents);
      expect(journal.steps.get('1.0')?.status).toBe(status);
      expect(events.events.filter(({ event }) => event === 'subagent').at(-1)?.data).toMatchObject({
        action: 'stop',
      });
    },
  );

  it.each(['gone', 'stalled'] as const)(
    'counts the lost model calls inside an agent that is %s',
    async (why) => {
      const agents = new AgentWorld({
        root: [asks('clerk'), says('done')],
        clerk: [asks('scribe'), says('done')],
        scribe: [says('written')],
      });
      const { journal } = agents.world;
      agents.onPlan = (name) => {
        if (name === 'scribe') journal.dieAt(1, 'before');
      };
      expect(await agents.attempt()).toBe('died');
      expect(agents.models.charged.get('scribe')).toBe(15);
      journal.revive();
      agents.followsLostAttempt = true;
      agents[why].add('clerk');
      if (why === 'stalled') agents.world.stop('deadline');
      expect(await agents.attempt()).toMatchObject({ kind: 'settled' });
      check(agents);
      const usage = journal.settlements.flatMap((settlement) => settlement.usage);
      expect(usage).toContainEqual(expect.objectContaining({ scope: '1.0/1.0', state: 'unknown' }));
    },
  );

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
