import { expect, it, jest } from '@jest/globals';
import { LoadedServices } from './loaded-services.js';
import { prepareService, type PreparedService } from './prepare-service.js';

const NONE: PreparedService = { operations: [], schemes: new Map(), warnings: [] };
const aDocument = (paths: object, more: object = {}): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths, ...more });
const server = (id: string, document = aDocument({})) => ({
  ...{ id, tenantId: 't', version: 1 },
  config: { document, headers_template: {}, query_template: {}, security: {} },
});
const operations = (count: number, schema: object): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_unused, at) => [
      `/a${at}`,
      { post: { requestBody: { content: { 'application/json': { schema } } } } },
    ]),
  );
const operationsElsewhere = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_unused, at) => [`/a${at}`, { $ref: '#/x' }]));
/** Twenty fields with twenty fields each, by references: expansion repeatedly reaches the limit of one operation. */
const WIDE = { $ref: '#/components/schemas/A' };
const SCHEMAS = {
  components: {
    schemas: {
      A: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, WIDE])),
      },
    },
  },
};
const HIDDEN = {
  x: { post: { requestBody: { content: { 'application/json': { schema: WIDE } } } } },
  components: {
    schemas: {
      A: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`p${at}`, { readOnly: true }])),
      },
    },
  },
};
const apart = () => {
  const prepare = jest.fn(() => Promise.resolve(NONE));
  return { prepare, services: new LoadedServices({ prepare }) };
};

it('keeps few descriptions, however short they are; the one that was not asked for longest gives way', async () => {
  const services = new LoadedServices({ prepare: () => Promise.resolve(NONE) }, 7_000);
  const first = await services.get(server('first'));
  for (const id of ['second', 'third']) await services.get(server(id));
  expect(services.size).toBe(3);
  expect(await services.get(server('first'))).toBe(first);
  await services.get(server('fourth'));
  expect(services.size).toBe(3);
  expect(await services.get(server('first'))).toBe(first);
});

it('counts what was made of a description, too', async () => {
  const services = new LoadedServices({ prepare: () => Promise.resolve(NONE) }, 20_000);
  const text = { components: { schemas: { A: { type: 'string', description: 'd'.repeat(300) } } } };
  for (const id of ['a', 'b', 'c']) await services.get(server(id, aDocument(operations(25, WIDE), text)));
  expect(services.size).toBe(1);
});

it('reads a short description here, once', async () => {
  const { prepare, services } = apart();
  const given = server('a', aDocument({ '/a': { get: {} } }));
  const [one, other] = await Promise.all([services.get(given), services.get(given)]);
  expect(one).toBe(other);
  expect(one).toMatchObject({ operations: [{ operation: { name: 'get_a' } }] });
  expect(prepare).not.toHaveBeenCalled();
});

it.each([
  ['is long', aDocument({ '/a': { get: { description: 'd'.repeat(4_100) } } })],
  [
    'says again and again which keys it takes',
    aDocument(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`/a${at}`, { get: {} }])), {
      security: Array.from({ length: 100 }, () => ({})),
    }),
  ],
  [
    'has a long address of many variables',
    aDocument(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`/a${at}`, { get: {} }])), {
      servers: [{ url: `http://a.test/${'{v}'.repeat(500)}` }],
    }),
  ],
  ['is YAML', 'openapi: 3.1.0\npaths: {/a: {get: {}}}\n'],
  ['has many large operations', aDocument(operations(30, WIDE), SCHEMAS)],
  ['has many fields that no model is shown', aDocument(operationsElsewhere(60), HIDDEN)],
])('has a description that %s read apart, once', async (_name, document) => {
  const { prepare, services } = apart();
  await Promise.all([services.get(server('a', document)), services.get(server('a', document))]);
  expect(prepare.mock.calls).toEqual([['t', document]]);
});

it('keeps why a description is of no use, and not that its process was lost', async () => {
  const { services } = apart();
  expect(await services.get(server('a', '{"openapi": "4"}'))).toEqual({
    fault: expect.stringContaining('must say its version'),
  });
  const answers = [() => Promise.reject(new Error('lost')), () => Promise.resolve(NONE)];
  const unsteady = new LoadedServices({
    prepare: () => (answers.shift() ?? (() => Promise.resolve(NONE)))(),
  });
  const long = server('a', aDocument({ '/a': { get: { description: 'd'.repeat(33_000) } } }));
  await expect(unsteady.get(long)).rejects.toThrow('lost');
  expect(unsteady.size).toBe(0);
  expect(await unsteady.get(long)).toMatchObject({ operations: [] });
});

it('leaves out what all operations together are too many for, with a warning', () => {
  const preparing = prepareService(aDocument(operations(50, WIDE), SCHEMAS), {
    schemas: 20_000,
    steps: Infinity,
    chars: 1_000_000,
  });
  let count = 0;
  let next = preparing.next();
  for (; next.done !== true; next = preparing.next()) count += 1;
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(50);
  expect(next.value.warnings[0]).toContain('the operations behind it are left out');
});
