import { describe, expect, it } from '@jest/globals';
import type { Fields, Kind } from './kinds.js';
import { orderResources } from './order-resources.js';
import type { Declared } from './read-resources.js';
import { mentionsOf, withReferences } from './references.js';

const declared = (kind: Kind, name: string, fields: Fields = {}): Declared => ({
  ...{ kind, name, fields, file: 'a.yaml' },
  lineOf: () => 3,
});
const calling = (...agents: string[]): Fields => ({ tools: { agents: agents.map((agent) => ({ agent })) } });

describe('the order of resources', () => {
  it('has each after those that it refers to', () => {
    const { resources, faults } = orderResources([
      declared('agent', 'lead', { llm: 'm', ...calling('helper') }),
      declared('agent', 'helper', { llm: 'm' }),
      declared('datasource', 'd', { llm_id: 'm' }),
      declared('llm', 'm'),
    ]);
    expect(faults).toEqual([]);
    expect(resources.map(({ name }) => name)).toEqual(['m', 'd', 'helper', 'lead']);
  });

  it('does not exist for agents that call each other in a circle, which are named', () => {
    const { faults } = orderResources([
      declared('agent', 'a', calling('b')),
      declared('agent', 'b', calling('a')),
    ]);
    expect(faults).toEqual([
      { file: 'a.yaml', line: 3, field: '', detail: 'its references lead back to it: a → b → a' },
    ]);
  });
});

describe('references', () => {
  const fields = {
    llm: 'm',
    config: {
      memory: { llm: 2 },
      datasource_ids: ['d', 4],
      steps: [{ kind: 'agent', agent: 'x' }, { kind: 'map', do: { agent: 'y' } }, { kind: 'tool' }],
    },
    tools: {
      agents: [{ agent: 'p' }, { agents: [{ agent: 'q' }] }],
      search_knowledge: { datasource_ids: ['d'] },
    },
  };

  it('are found wherever one resource names another', () => {
    expect(mentionsOf('agent', fields).map(({ to, value }) => `${to} ${String(value)}`)).toEqual([
      ...['llm m', 'llm 2', 'datasource d', 'datasource 4', 'datasource d'],
      ...['agent p', 'agent q', 'agent x', 'agent y'],
    ]);
    expect(mentionsOf('skill', fields)).toEqual([]);
  });

  it('are replaced in a copy', () => {
    const replaced = withReferences('agent', fields, ({ value }) => (value === 'q' ? 9 : undefined));
    expect(replaced).toEqual({
      ...fields,
      tools: { ...fields.tools, agents: [{ agent: 'p' }, { agents: [{ agent: 9 }] }] },
    });
    expect(fields.tools.agents[1]).toEqual({ agents: [{ agent: 'q' }] });
  });
});
