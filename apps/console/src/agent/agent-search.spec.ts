import { describe, expect, it } from '@jest/globals';
import { agentSearchOf, newAgentSearchOf } from './agent-search.js';

describe('the address of an agent', () => {
  it('holds a tab and two versions', () => {
    const search = { tab: 'versions', version: 3, with: 1 };
    expect(agentSearchOf({ ...search, other: 'x' })).toEqual(search);
    expect(agentSearchOf({ version: '3' })).toEqual({ version: 3 });
  });

  it('holds the open step of a pipeline', () => {
    expect(agentSearchOf({ tab: 'pipeline', step: 'find' })).toEqual({ tab: 'pipeline', step: 'find' });
    expect(agentSearchOf({ tab: 'pipeline', step: 'x'.repeat(65) })).toEqual({ tab: 'pipeline' });
    expect(agentSearchOf({ tab: 'prompt', step: 'find' })).toEqual({ tab: 'prompt' });
  });

  it.each([[{ tab: 'x' }], [{ version: 0 }], [{ version: 1.5 }], [{ with: 'a' }], [{ with: 3_000_000_000 }]])(
    'holds nothing of %j',
    (search) => {
      expect(agentSearchOf(search)).toEqual({});
    },
  );

  it('for a new agent may name the agent that it is copied from', () => {
    expect(newAgentSearchOf({ from: 7 })).toEqual({ from: 7 });
    expect(newAgentSearchOf({ from: -1 })).toEqual({});
  });
});
