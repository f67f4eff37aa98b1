import fc from 'fast-check';

const times = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_none, at) => make(at));

function describing(paths: object, schemas: object = {}): string {
  const info = { title: 'hostile', version: '1' };
  return JSON.stringify({
    openapi: '3.1.0',
    info,
    servers: [{ url: 'http://a.test' }],
    paths,
    components: { schemas },
  });
}

const post = (schema: object): object => ({
  post: {
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: 'ok' } },
  },
});

const anchors = (width: number, levels: number, merges: boolean): string => {
  const lines = ['openapi: 3.1.0', 'paths: {}', 'l0: &l0 {a: xxxxxxxxxx}'];
  for (let level = 1; level <= levels; level += 1) {
    const alias = `*l${level - 1}`;
    const inner = merges
      ? `{${times(width, (at) => `k${at}: {<<: ${alias}, n${level}: 1}`).join(', ')}}`
      : `[${times(width, () => alias).join(', ')}]`;
    lines.push(`l${level}: &l${level} ${inner}`);
  }
  return lines.join('\n');
};

/** Descriptions of services that expand to more than their length, have the largest size allowed, or are invalid. */
export const hostileDescription: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 2, max: 12 }), fc.boolean())
    .map((it) => anchors(...it)),
  fc.integer({ min: 1_000, max: 8_000 }).map((count) =>
    describing(
      Object.fromEntries(times(count, (at) => [`/a${at}`, post({ $ref: '#/components/schemas/s0' })])),
      Object.fromEntries(
        times(60, (at) => {
          const next = { $ref: `#/components/schemas/s${(at + 1) % 60}` };
          return [`s${at}`, { type: 'object', properties: { a: next, b: next, c: { items: next } } }];
        }),
      ),
    ),
  ),
  fc.integer({ min: 1_000, max: 200_000 }).map((count) =>
    describing({
      '/a': post({ type: 'object', properties: { a: { enum: times(count, (at) => `value ${at}`) } } }),
    }),
  ),
  fc
    .integer({ min: 10, max: 50_000 })
    .map((depth) =>
      describing({}).replace('{"schemas":{}}', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    ),
  fc.integer({ min: 2, max: 30 }).map((levels) =>
    describing(
      { '/a': post({ $ref: '#/components/schemas/d0' }) },
      Object.fromEntries(
        times(levels, (at) => {
          const next = { $ref: `#/components/schemas/d${at + 1}` };
          return [`d${at}`, { allOf: [{ oneOf: [next, { ...next }] }, { anyOf: [next, next] }] }];
        }),
      ),
    ),
  ),
  fc
    .integer({ min: 1_000, max: 100_000 })
    .map((count) => `openapi: 3.1.0\npaths:\n${'  ? [a, b]\n'.repeat(count)}`),
  fc.integer({ min: 1_000, max: 100_000 }).map((count) => `openapi: 3.1.0\npaths: ${'[{'.repeat(count)}`),
  fc.constantFrom(
    '',
    '{',
    '---\n---\n',
    'openapi: 3.1.0\npaths: &a {b: *a}',
    'openapi: 3.1.0\npaths: {__proto__: {get: {}}}',
  ),
);
