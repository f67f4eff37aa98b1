import { describe, expect, it } from '@jest/globals';
import { calledAgentsOf, choicesOf, usesOf } from './called-agents.js';

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
