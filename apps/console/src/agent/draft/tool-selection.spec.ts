import { describe, expect, it } from '@jest/globals';
import type { Tool } from '../../api/types.js';
import {
  coveringName,
  maySelect,
  namesIn,
  toolGroups,
  unknownNames,
  withNameToggled,
} from './tool-selection.js';

const builtin = (name: string) =>
  ({ name, description: `Does ${name}`, source: 'builtin', server: null }) as Tool;
const served = (server: string, tool: string) =>
  ({ name: `mcp__${server}__${tool}`, description: '', source: 'server', server: { name: server } }) as Tool;

const SAVE = builtin('save_order');
const FIND = served('crm', 'find');
const DROP = served('crm', 'drop');
const TOOLS = [SAVE, FIND, DROP];

describe('the selection of tools', () => {
  it('is a list of names that can be added to and taken from', () => {
    const one = withNameToggled({ agents: [] }, 'builtin', 'save_order');
    expect(one).toEqual({ agents: [], builtin: ['save_order'] });
    expect(withNameToggled(one, 'builtin', 'other')).toEqual({
      agents: [],
      builtin: ['save_order', 'other'],
    });
    expect(withNameToggled(one, 'builtin', 'save_order')).toEqual({ agents: [] });
  });

  it('is empty where the value is no list of texts', () => {
    expect(namesIn({ builtin: 'save_order' }, 'builtin')).toEqual([]);
    expect(namesIn({ builtin: ['a', 1] }, 'builtin')).toEqual(['a']);
  });

  it.each([
    [{ builtin: ['save_order'] }, SAVE, true],
    [{ servers: ['save_order'] }, SAVE, false],
    [{ servers: ['*'] }, SAVE, false],
    [{ servers: ['*'] }, FIND, true],
    [{ servers: ['mcp__crm__*'] }, FIND, true],
    [{ servers: ['mcp__shop__*'] }, FIND, false],
    [{ servers: ['mcp__crm__find'] }, FIND, true],
    [{ servers: ['mcp__crm__find'] }, DROP, false],
  ])('%j', (tools, tool, isSelected) => {
    expect(maySelect(tools, tool)).toBe(isSelected);
  });

  it('says which name covers a tool', () => {
    expect(coveringName(['mcp__crm__*', '*'], FIND)).toBe('*');
    expect(coveringName(['mcp__crm__find'], FIND)).toBe(null);
    expect(coveringName(['*'], SAVE)).toBe(null);
  });

  it('names what no tool and no server explains', () => {
    const tools = { builtin: ['save_order', 'gone'], servers: ['*', 'mcp__crm__*', 'mcp__old__*'] };
    expect(unknownNames(tools, TOOLS, ['crm'])).toEqual([
      { list: 'builtin', name: 'gone' },
      { list: 'servers', name: 'mcp__old__*' },
    ]);
  });
});

describe('the groups of tools', () => {
  const namesOf = (search: string) =>
    toolGroups(TOOLS, ['shop', 'crm'], search).map(({ server, tools }) => [
      server,
      ...tools.map((t) => t.name),
    ]);

  it('are the installation, then the servers by name, also without tools', () => {
    expect(namesOf('')).toEqual([
      [null, 'save_order'],
      ['crm', 'mcp__crm__find', 'mcp__crm__drop'],
      ['shop'],
    ]);
  });

  it('have what matches all words of a search', () => {
    expect(namesOf('CRM fin')).toEqual([['crm', 'mcp__crm__find']]);
    expect(namesOf('does')).toEqual([[null, 'save_order']]);
  });
});
