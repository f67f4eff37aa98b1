import { describe, expect, it } from '@jest/globals';
import type { Tool } from '../api/types.js';
import { filterTools, toolsSearchOf, withPart } from './tools-search.js';

const tool = (name: string, effect: Tool['effect'], server: string | null) =>
  ({ name, effect, description: `Does ${name}`, server: server === null ? null : { name: server } }) as Tool;
const TOOLS = [
  tool('save_order', 'unsafe', null),
  tool('mcp__crm__find', 'read', 'crm'),
  tool('mcp__crm__drop', 'unsafe', 'crm'),
];
const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

describe('the search of tools', () => {
  it('is read from an address, without what makes no sense', () => {
    const search = { tab: 'servers', q: 'a', effect: 'read', source: 'crm', state: 'revoked', user: 7 };
    expect(toolsSearchOf(search)).toEqual({ ...search, user: '7' });
    expect(toolsSearchOf({ tab: 'x', q: '', effect: 'x', source: [], state: null, other: 1 })).toEqual({});
  });

  it('filters by effect, source, and all words', () => {
    expect(namesOf(filterTools(TOOLS, {}))).toHaveLength(3);
    expect(namesOf(filterTools(TOOLS, { effect: 'unsafe' }))).toEqual(['save_order', 'mcp__crm__drop']);
    expect(namesOf(filterTools(TOOLS, { source: 'builtin' }))).toEqual(['save_order']);
    expect(namesOf(filterTools(TOOLS, { source: 'crm', q: 'DOES fin' }))).toEqual(['mcp__crm__find']);
  });

  it('takes out a part that is emptied', () => {
    expect(withPart({ q: 'a', tab: 'tools' }, 'q', 'b')).toEqual({ tab: 'tools', q: 'b' });
    expect(withPart({ q: 'a', tab: 'tools' }, 'q', '')).toEqual({ tab: 'tools' });
    expect(withPart({ effect: 'read' }, 'effect', undefined)).toEqual({});
  });
});
