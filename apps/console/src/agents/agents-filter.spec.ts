import { describe, expect, it } from '@jest/globals';
import type { Agent } from '../api/types.js';
import { agentsFilterOf, filterAgents } from './agents-filter.js';

const agent = (id: number, name: string, is_active = true) => ({ id, name, is_active }) as Agent;
const AGENTS = [agent(1, 'Sales desk'), agent(2, 'Returns'), agent(3, 'Old desk', false)];
const idsOf = (agents: readonly Agent[]): number[] => agents.map(({ id }) => id);

describe('the filter of agents', () => {
  it('is read from an address, without what makes no sense', () => {
    expect(agentsFilterOf({ q: 'desk', inactive: true, other: 1 })).toEqual({ q: 'desk', inactive: true });
    expect(agentsFilterOf({ q: 12, inactive: 'yes' })).toEqual({ q: '12' });
    expect(agentsFilterOf({ q: '', inactive: false })).toEqual({});
  });

  it('sorts by name and leaves out inactive ones', () => {
    expect(idsOf(filterAgents(AGENTS, {}))).toEqual([2, 1]);
    expect(idsOf(filterAgents(AGENTS, { inactive: true }))).toEqual([3, 2, 1]);
  });

  it('finds by all words of the name, or by the id', () => {
    expect(idsOf(filterAgents(AGENTS, { q: 'DESK sal' }))).toEqual([1]);
    expect(idsOf(filterAgents(AGENTS, { q: '2' }))).toEqual([2]);
    expect(idsOf(filterAgents(AGENTS, { q: 'nothing' }))).toEqual([]);
  });
});
