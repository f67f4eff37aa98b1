import { describe, expect, it } from '@jest/globals';
import { readResources } from './read-resources.js';

const read = (text: string, environment: Record<string, string> = {}, path = 'a.yaml') =>
  readResources([{ path, text }], environment);

describe('files of resources', () => {
  it('hold several resources as documents, as a list, and as JSON', () => {
    const documents = read(
      'kind: skill\nname: a\n---\nkind: agent\nname: b\nconfig: { temperature: 0.2 }\n---\n',
    );
    expect(documents.faults).toEqual([]);
    expect(documents.resources).toMatchObject([
      { kind: 'skill', name: 'a', fields: {} },
      { kind: 'agent', name: 'b', fields: { config: { temperature: 0.2 } } },
    ]);
    const list = read('[{"kind": "skill", "name": "a"}, {"kind": "llm", "name": " b "}]', {}, 'a.json');
    expect(list.resources.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(read('').resources).toEqual([]);
  });

  it('take texts from the environment, in whole or in part', () => {
    const text =
      'kind: llm\nname: a\ncredentials: { key: "${env:KEY}" }\nnotes: ["a ${env:KEY} b", "${crm_token}"]';
    expect(read(text, { KEY: 'sk' }).resources[0]?.fields).toEqual({
      credentials: { key: 'sk' },
      notes: ['a sk b', '${crm_token}'],
    });
  });

  it.each<[string, string, object]>([
    [
      'a variable that is not set',
      'kind: llm\nname: a\nextra:\n  x: ${env:NONE}',
      { line: 4, field: 'extra.x', detail: 'the environment has no NONE' },
    ],
    ['one that every object has', 'kind: llm\nname: a\nmodel: ${env:toString}', { line: 3, field: 'model' }],
    [
      'an unknown kind',
      'name: a\nkind: robot',
      { line: 2, field: 'kind', detail: expect.stringContaining('must be one of llm') },
    ],
    ['no name', 'kind: llm', { line: 1, field: 'name' }],
    ['a text', 'hello', { line: 1, field: '' }],
    ['YAML that is none', 'kind: llm\nname: "a', { line: expect.any(Number), field: '' }],
    ['a key that comes twice', 'kind: llm\nname: a\nname: b', { line: 3, field: '' }],
    [
      'a resource that is there already',
      'kind: llm\nname: a\n---\nkind: llm\nname: a',
      { line: 5, field: 'name', detail: 'there is another llm "a" at a.yaml:1' },
    ],
    [
      'aliases that grow',
      `a: &a [1,1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c]`,
      { line: 1, field: '' },
    ],
  ])('are refused with file, line and field: %s', (_name, text, fault) => {
    expect(read(text).faults).toEqual([expect.objectContaining({ file: 'a.yaml', ...fault })]);
  });

  it('name the line of what holds a place that is not there', () => {
    const [agent] = read('kind: agent\nname: a\nconfig:\n  steps:\n    - kind: llm\n').resources;
    expect(agent?.lineOf(['config', 'steps', 0, 'prompt'])).toBe(5);
    expect(agent?.lineOf(['config', 'other'])).toBe(4);
    expect(agent?.lineOf(['system_prompt'])).toBe(1);
  });
});
