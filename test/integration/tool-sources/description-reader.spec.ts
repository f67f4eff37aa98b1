import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CORE_SCHEMA, load } from 'js-yaml';
import { checkDocument, DescriptionReader, OpenApiDriver } from '#libs/tool-sources';
import type { OpenedServer, ToolServerOf } from '#libs/tooling';
import { programFile } from '../../../scripts/build/programs.ts';
import { NO_CREDENTIALS } from '../../support/mcp/mcp-world.js';

const PROGRAM = join(import.meta.dirname, '../../..', programFile('description-program'));
const examples = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const published = (path: string): string => readFileSync(join(examples, path), 'utf8');

const reader = new DescriptionReader({ program: PROGRAM });
const SHORT = 'openapi: 3.1.0\npaths: {/a: {get: {}}}\n';
const COMMENT = `# ${'long '.repeat(60_000)}\n`;

/** A client that is never called. */
const NO_CLIENT = { fetchFor: () => fetch };
const serverOf = (document: string): ToolServerOf<'openapi'> => ({
  ...{ id: 'a', tenantId: 't', name: 'shop', version: 1, type: 'openapi', tools: {} },
  config: { document, headers_template: {}, query_template: {}, security: {} },
  limits: { timeout_ms: 1_000, concurrency: 8 },
});
const plain = ({ tools, warnings }: OpenedServer) => [
  tools.map(({ name, description, effect, inputSchema }) => ({ name, description, effect, inputSchema })),
  warnings,
];

async function faultOf(text: string, given = reader): Promise<string> {
  const { document, check } = await given.read('t', text);
  expect(document).toBe(text);
  return check.problems.join();
}

describe('a description of which tools are made', () => {
  it.each(['3.0/json/petstore-simple.json', '3.0/json/file-uploads.json', '3.1/yaml/readme.yaml'])(
    'is prepared apart as it would be here: %s',
    async (path) => {
      const text = published(path);
      const driverHere = new OpenApiDriver(NO_CLIENT, {
        prepare: () => Promise.reject(new Error('not here')),
      });
      const driverApart = new OpenApiDriver(NO_CLIENT, reader);
      const opened = await driverApart.open(serverOf(text.padEnd(40_000)), NO_CREDENTIALS);
      expect(opened.tools.length).toBeGreaterThan(0);
      if (text.length > 4_096 || !path.endsWith('json')) return;
      const here = await driverHere.open(serverOf(text), NO_CREDENTIALS);
      expect(plain(opened)).toEqual(plain(here));
    },
  );

  it('says why it is of no use, and what takes too long', async () => {
    const hurried = new OpenApiDriver(NO_CLIENT, new DescriptionReader({ program: PROGRAM, timeoutMs: 1 }));
    const failure = async (driver: OpenApiDriver, text: string) =>
      driver.open(serverOf(text), NO_CREDENTIALS).catch((error: unknown) => error);
    expect(await failure(new OpenApiDriver(NO_CLIENT, reader), 'openapi: 4')).toMatchObject({
      fault: 'document',
      message: expect.stringContaining('must say its version') as unknown,
    });
    expect(await failure(hurried, SHORT)).toMatchObject({
      ...{ fault: 'document', message: '#: takes too much time to be read: must be smaller' },
    });
  });

  it('has as many operations as all together have room for', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_unused, at) => [`p${at}`, { $ref: '#/components/schemas/A' }]),
    );
    const schema = { $ref: '#/components/schemas/A' };
    const operation = { post: { requestBody: { content: { 'application/json': { schema } } } } };
    const paths = Object.fromEntries(Array.from({ length: 400 }, (_unused, at) => [`/a${at}`, operation]));
    const components = { schemas: { A: { type: 'object', properties } } };
    const text = JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths, components });
    const preparation = { schemas: 100_000, steps: 10_000_000, chars: 1_000_000 };
    const narrow = new OpenApiDriver(NO_CLIENT, new DescriptionReader({ program: PROGRAM, preparation }));
    const { tools, warnings } = await narrow.open(serverOf(text), NO_CREDENTIALS);
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.length).toBeLessThan(400);
    expect(warnings[0]).toContain('the operations behind it are left out');
  });
});

describe('a description in YAML', () => {
  it.each(['3.0/yaml/petstore.yaml', '3.0/yaml/star-trek.yaml', '3.1/yaml/readme.yaml'])(
    'becomes the JSON that it says: %s',
    async (path) => {
      const text = published(path);
      const { document, check } = await reader.read('t', text);
      expect(JSON.parse(document as string)).toEqual(load(text, { schema: CORE_SCHEMA }));
      expect(check).toEqual(checkDocument(text));
    },
  );

  it('keeps the names of its files; what is JSON already stays to the letter', async () => {
    const files = { 'a.yaml': SHORT, 'b/c.yaml': `${COMMENT}ü: &x [1]\ny: *x\n`, 'd.json': ' { "a" : 1 }' };
    expect((await reader.read('t', { root: 'a.yaml', files })).document).toEqual({
      root: 'a.yaml',
      files: {
        'a.yaml': '{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}',
        'b/c.yaml': '{"ü":[1],"y":[1]}',
        'd.json': ' { "a" : 1 }',
      },
    });
  });

  it('may have braces as JSON has', async () => {
    const { document } = await reader.read('t', `${COMMENT}{openapi: 3.1.0}`);
    expect(document).toBe('{"openapi":"3.1.0"}');
  });

  it.each(['', COMMENT])('says the place of what is wrong', async (before) => {
    const line = before === '' ? 2 : 3;
    const broken = `${before}openapi: 3.1.0\n\tpaths: {}`;
    expect(await faultOf(broken)).toMatch(`#: must be JSON or YAML; the parser stopped in line ${line}: `);
    const { check } = await reader.read('t', { root: 'a.yaml', files: { 'a.yaml': broken } });
    expect(check.problems.join()).toMatch(/^a\.yaml#/);
  });

  it.each(['', COMMENT])('is refused where its aliases repeat without end', async (before) => {
    const levels = ['a: &a [1,1,1,1,1,1,1,1,1,1]'];
    for (const [name, of] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg'].map((pair) => [...pair]))
      levels.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${of}`).join(',')}]`);
    expect(await faultOf(before + levels.join('\n'))).toContain('must have at most 2000000 values');
    const long = `a: &a ${'x'.repeat(10_000)}\nb: [${Array.from({ length: 9_000 }, () => '*a').join(',')}]`;
    expect(await faultOf(before + long)).toContain('must have at most 33554432 characters');
    expect(await faultOf(`${before}a: &a {b: *a}`)).toContain('must be nested at most 128 levels deep');
    const many = `a: &a 1\nb: [${Array.from({ length: 10_001 }, () => '*a').join(',')}]`;
    expect(await faultOf(before + many)).toContain('must be JSON or YAML');
  });

  it('is given up when it takes too long or too much memory, and the next one is read', async () => {
    const hurried = new DescriptionReader({ program: PROGRAM, timeoutMs: 1 });
    expect(await faultOf(COMMENT + SHORT, hurried)).toContain('takes too much time to be read');
    const narrow = new DescriptionReader({ program: PROGRAM, mostRssBytes: 160 * 2 ** 20 });
    const wide = `a:\n${'- [[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]\n'.repeat(300_000)}`;
    const [first, second] = await Promise.all([faultOf(wide, narrow), narrow.read('t', `${COMMENT}a: 1`)]);
    expect(first).toContain('takes too much memory to be read');
    expect(second.document).toBe('{"a":1}');
  });
});
