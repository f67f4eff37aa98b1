import type { Agent } from '../api/types.js';

/** Filter of the list of agents, as the address of the page holds it. Only what is set is there. */
export interface AgentsFilter {
  /** Part of the name, or the id. */
  readonly q?: string;
  readonly inactive?: true;
}

/** Takes the parts of an address that make sense. Pure. */
export function agentsFilterOf(search: Readonly<Record<string, unknown>>): AgentsFilter {
  const { q, inactive } = search;
  const text = typeof q === 'string' || typeof q === 'number' ? String(q).slice(0, 100) : '';
  return { ...(text === '' ? {} : { q: text }), ...(inactive === true ? { inactive } : {}) };
}

/** Agents that the filter lets through, by name. Pure. */
export function filterAgents(agents: readonly Agent[], { q = '', inactive }: AgentsFilter): Agent[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return agents
    .filter(({ is_active }) => is_active || inactive === true)
    .filter(({ id, name }) => words.every((word) => name.toLowerCase().includes(word) || String(id) === word))
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.id - other.id);
}
