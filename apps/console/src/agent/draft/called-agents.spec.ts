import { describe, expect, it } from '@jest/globals';
import { calledAgentsOf, choicesOf, faultsOfEntry, usesOf } from './called-agents.js';

const agent = (id: number, tools: object, config: object = {}) => ({
  id,
  name: `agent ${id}`,
  is_active: id !== 4,
  config: config as Record<string, unknown>,
  tools: tools as Record<string, unknown>,
});

describe('the agents that an agent may call', () => {
  it('are a list of objects, or cannot be shown', () => {
    expect(calledAgentsOf({})).toEqual([]);
    expect(calledAgentsOf({ agents: [{ agent: 7 }] })).toEqual([{ agent: 7 }]);
    expect(calledAgentsOf({ agents: 'all' })).toBe(null);
    expect(calledAgentsOf({ agents: [7] })).toBe(null);
  });

  it('are one for each tool, or a choice', () => {
    expect(choicesOf({ agent: 7 })).toBe(null);
    expect(choicesOf({ agents: [{ agent: 7 }] })).toEqual([{ agent: 7 }]);
  });
});

describe('the faults of an entry', () => {
  const REFUSED = [{ path: ['tools', 'agents', '1'], detail: 'must be { … }' }];
  const shown = (entry: Record<string, unknown>, faults = REFUSED): string[] =>
    faultsOfEntry(faults, 1, entry).map(({ path, detail }) => (path.length === 0 ? detail : path.join('.')));

  it.each([
    [{}, ['agent', 'name', 'description']],
    [{ agent: 7, name: 'a b', description: '' }, ['name', 'description']],
    [{ agent: null, name: 'clerk', description: 'Sells.' }, ['agent']],
    [
      { name: 'task', description: 'Any.', agents: [{ agent: 7, name: 'a', description: '' }] },
      ['agents.0.description'],
    ],
    [{ agent: 7, name: 'clerk', description: 'Sells.', other: 1 }, ['must be { … }']],
  ])('refused as a whole are its gaps, where it has some: %j', (entry, places) => {
    expect(shown(entry)).toEqual(places);
  });

  it('are those of the API where they name a field, and none of another entry', () => {
    const faults = [
      { path: ['tools', 'agents', '1', 'agent'], detail: 'must be active' },
      { path: ['tools', 'agents', '2', 'name'], detail: 'is taken' },
    ];
    expect(shown({}, faults)).toEqual(['agent']);
  });
});

describe('the uses of an agent', () => {
  it('are tools, choices, and steps of pipelines', () => {
    const agents = [
      agent(1, { agents: [{ agent: 7, name: 'clerk' }] }),
      agent(2, {
        agents: [
          {
            name: 'task',
            agents: [
              { agent: 8, name: 'a' },
              { agent: 7, name: 'b' },
            ],
          },
        ],
      }),
      agent(3, {}, { steps: ['text', { name: 'review', agent: 7 }, { name: 'each', do: { agent: 7 } }] }),
      agent(4, { agents: [{ agent: 7, name: 'old' }] }),
      agent(5, { agents: [{ agent: 8, name: 'other' }] }),
    ];
    expect(usesOf(7, agents).map(({ agentId, by, kind, isActive }) => [agentId, by, kind, isActive])).toEqual(
      [
        [1, 'clerk', 'tool', true],
        [2, 'task (b)', 'tool', true],
        [3, 'review', 'step', true],
        [3, 'each', 'step', true],
        [4, 'old', 'tool', false],
      ],
    );
  });
});
