import { describe, expect, it } from '@jest/globals';
import { readTools } from './read-tools.js';
import { Warnings } from './warnings.js';

const TOOL = { name: 'get', inputSchema: { type: 'object', properties: { id: { type: 'number' } } } };

async function read(...listed: unknown[]) {
  const warnings = new Warnings();
  return { tools: await readTools(listed, warnings), warnings: warnings.list() };
}

describe('the tools that a server lists', () => {
  it('are read with what they claim and with what checks their input', async () => {
    const { tools, warnings } = await read({
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
      'must refer to its own parts only',
    ],
    [
      'a schema that is itself',
      { ...TOOL, inputSchema: { type: 'object', allOf: [{ $ref: '#' }] } },
      'must not refer to itself with neither a field nor an item in between',
    ],
    [
      'a schema of a megabyte',
      { ...TOOL, inputSchema: { type: 'object', description: 'x'.repeat(1_000_000) } },
      'must have at most 32768 bytes',
    ],
    ['a task', { ...TOOL, execution: { taskSupport: 'required' } }, 'only runs as a task'],
  ])('are left out with a warning where one has %s', async (_name, tool, reason) => {
    const { tools, warnings } = await read(tool, { ...TOOL, name: 'other' });
    expect(tools.map(({ name }) => name)).toEqual(['other']);
    expect(warnings).toEqual([expect.stringContaining(reason)]);
  });

  it('offers a schema within itself, cut where it begins again, and checks by the whole of it', async () => {
    const node = {
      type: 'object',
      properties: { title: { type: 'string' }, nodes: { items: { $ref: '#/$defs/node' } } },
    };
    const inputSchema = { type: 'object', properties: { root: { $ref: '#/$defs/node' } }, $defs: { node } };
    const { tools, warnings } = await read({ ...TOOL, inputSchema });
    expect(warnings).toEqual([]);
    expect(JSON.stringify(tools[0]?.inputSchema).match(/\$ref/g)).toHaveLength(1);
    expect(tools[0]?.readInput({ root: { nodes: [{ nodes: [{ title: 'a' }] }] } }).success).toBe(true);
    expect(tools[0]?.readInput({ root: { nodes: [{ nodes: [{ title: 7 }] }] } }).success).toBe(false);
  });

  it('offers all forms of a schema as one, with a warning, and checks that one fits', async () => {
    const form = (name: string) => ({ properties: { [name]: { type: 'string' } }, required: [name] });
    const inputSchema = { type: 'object', oneOf: [form('id'), form('email')] };
    const { tools, warnings } = await read({ ...TOOL, inputSchema });
    expect(warnings).toEqual(['the tool get: its input schema has 2 forms, which models are shown as one']);
    expect(Object.keys(tools[0]?.inputSchema['properties'] as object)).toEqual(['id', 'email']);
    expect(tools[0]?.readInput({ email: 'a' }).success).toBe(true);
    expect(tools[0]?.readInput({ id: 'a', email: 'a' }).success).toBe(false);
  });

  it('takes a schema whose forms alone say that they are objects', async () => {
    const form = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    const { tools } = await read({ ...TOOL, inputSchema: { anyOf: [form, { ...form, required: [] }] } });
    expect(tools[0]?.inputSchema).toEqual({ type: 'object', properties: form.properties });
    expect(tools[0]?.readInput({ id: 7 }).success).toBe(false);
  });

  it('lets other work in between, however many tools there are', async () => {
    const order: number[] = [];
    const seen = new Promise<void>((resolve) => setImmediate(resolve)).then(() => order.push(1));
    await Promise.all([
      read(...Array.from({ length: 100 }, (_, at) => ({ ...TOOL, name: `t${at}` }))).then(() =>
        order.push(2),
      ),
      seen,
    ]);
    expect(order).toEqual([1, 2]);
  });

  it('has the first of two that are called the same', async () => {
    const { tools, warnings } = await read(
      { ...TOOL, description: 'first' },
      { ...TOOL, description: 'second' },
    );
    expect(tools.map(({ description }) => description)).toEqual(['first']);
    expect(warnings).toEqual(['the tool get was left out: it is there twice']);
  });

  it('keeps a tool whose texts, hints or output schema are of no use, without them', async () => {
    const odd = {
      ...TOOL,
      title: 7,
      description: {},
      annotations: { readOnlyHint: 'yes' },
      outputSchema: 'none',
    };
    expect((await read(odd)).tools).toMatchObject([
      { label: 'get', description: '', claimedEffect: null, readOutput: null },
    ]);
  });

  it('bounds descriptions, labels and warnings', async () => {
    const { tools } = await read({ ...TOOL, title: `a\n${'b'.repeat(300)}`, description: 'ä'.repeat(9_000) });
    expect(Buffer.byteLength(tools[0]?.description ?? '')).toBeLessThanOrEqual(8_192);
    expect(tools[0]?.label).toMatch(/^a b+…$/);
    const { warnings } = await read(
      ...Array.from({ length: 50 }, () => ({ name: 'x\u001b[31m'.repeat(200) })),
    );
    expect(warnings).toHaveLength(20);
    expect(warnings.at(-1)).toBe('and 31 more');
    expect(warnings.every((line) => line.length <= 300 && !line.includes('\u001b'))).toBe(true);
  });

  it('has a fingerprint that everything changes that the server says of it, and the order of its words does not', async () => {
    const print = async (tool: object) => (await read(tool)).tools[0]?.fingerprint;
    const { name, inputSchema } = TOOL;
    expect(await print({ inputSchema, name })).toBe(await print(TOOL));
    const changes = [
      { description: 'Now sends your files to us.' },
      { annotations: { readOnlyHint: true } },
      { inputSchema: { ...inputSchema, required: ['id'] } },
    ];
    for (const change of changes) expect(await print({ ...TOOL, ...change })).not.toBe(await print(TOOL));
  });
});
