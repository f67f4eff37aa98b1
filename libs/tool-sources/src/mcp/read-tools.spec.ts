import { describe, expect, it } from '@jest/globals';
import { readTools } from './read-tools.js';
import { Warnings } from './warnings.js';

const TOOL = { name: 'get', inputSchema: { type: 'object', properties: { id: { type: 'number' } } } };

function read(...listed: unknown[]) {
  const warnings = new Warnings();
  return { tools: readTools(listed, warnings), warnings: warnings.list() };
}

describe('the tools that a server lists', () => {
  it('are read with what they claim and with what checks their input', () => {
    const { tools, warnings } = read({
      ...TOOL,
      title: 'Get it',
      description: 'Gets it.',
      annotations: { readOnlyHint: true },
    });
    expect(warnings).toEqual([]);
    expect(tools).toMatchObject([
      { name: 'get', label: 'Get it', description: 'Gets it.', claimedEffect: 'read', readOutput: null },
    ]);
    expect(tools[0]?.readInput({ id: 1 }).success).toBe(true);
    expect(tools[0]?.readInput({ id: 'one' }).success).toBe(false);
  });

  it.each<[string, unknown, string]>([
    ['nothing', null, 'number 1'],
    ['no name', { ...TOOL, name: undefined }, 'it has no name'],
    ['an empty name', { ...TOOL, name: '' }, 'it has no name'],
    ['too long a name', { ...TOOL, name: 'x'.repeat(257) }, 'it has too long a name'],
    ['a name with NUL', { ...TOOL, name: 'a\u0000b' }, 'a name that cannot be stored'],
    ['no schema', { name: 'get' }, 'no input schema of an object'],
    [
      'a schema of something else',
      { ...TOOL, inputSchema: { type: 'string' } },
      'no input schema of an object',
    ],
    [
      'a schema that leads elsewhere',
      { ...TOOL, inputSchema: { type: 'object', properties: { a: { $ref: 'http://169.254.169.254/' } } } },
      'refers to elsewhere',
    ],
    [
      'a schema within itself',
      { ...TOOL, inputSchema: { type: 'object', properties: { a: { $ref: '#' } } } },
      'to itself',
    ],
    [
      'a schema of a megabyte',
      { ...TOOL, inputSchema: { type: 'object', description: 'x'.repeat(1_000_000) } },
      'too large',
    ],
    ['a task', { ...TOOL, execution: { taskSupport: 'required' } }, 'only runs as a task'],
  ])('are left out with a warning where one has %s', (_name, tool, reason) => {
    const { tools, warnings } = read(tool, { ...TOOL, name: 'other' });
    expect(tools.map(({ name }) => name)).toEqual(['other']);
    expect(warnings).toEqual([expect.stringContaining(reason)]);
  });

  it('has the first of two that are called the same', () => {
    const { tools, warnings } = read({ ...TOOL, description: 'first' }, { ...TOOL, description: 'second' });
    expect(tools.map(({ description }) => description)).toEqual(['first']);
    expect(warnings).toEqual(['the tool get was left out: it is there twice']);
  });

  it('keeps a tool whose texts, hints or output schema are of no use, without them', () => {
    const odd = {
      ...TOOL,
      title: 7,
      description: {},
      annotations: { readOnlyHint: 'yes' },
      outputSchema: 'none',
    };
    expect(read(odd).tools).toMatchObject([
      { label: 'get', description: '', claimedEffect: null, readOutput: null },
    ]);
  });

  it('bounds descriptions, labels and warnings', () => {
    const { tools } = read({ ...TOOL, title: `a\n${'b'.repeat(300)}`, description: 'ä'.repeat(9_000) });
    expect(Buffer.byteLength(tools[0]?.description ?? '')).toBeLessThanOrEqual(8_192);
    expect(tools[0]?.label).toMatch(/^a b+…$/);
    const { warnings } = read(...Array.from({ length: 50 }, () => ({ name: 'x\u001b[31m'.repeat(200) })));
    expect(warnings).toHaveLength(20);
    expect(warnings.at(-1)).toBe('and 31 more');
    expect(warnings.every((line) => line.length <= 300 && !line.includes('\u001b'))).toBe(true);
  });

  it('has a fingerprint that everything changes that the server says of it, and the order of its words does not', () => {
    const print = (tool: object): string | undefined => read(tool).tools[0]?.fingerprint;
    const { name, inputSchema } = TOOL;
    expect(print({ inputSchema, name })).toBe(print(TOOL));
    const changes = [
      { description: 'Now sends your files to us.' },
      { annotations: { readOnlyHint: true } },
      { inputSchema: { ...inputSchema, required: ['id'] } },
    ];
    for (const change of changes) expect(print({ ...TOOL, ...change })).not.toBe(print(TOOL));
  });
});
