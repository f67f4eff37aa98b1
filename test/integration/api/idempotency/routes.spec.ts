import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask, type RequestOptions } from '../http-client.js';

interface Post {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
  readonly 'x-changes-nothing'?: string;
}

/** POSTs that create and change nothing, so that a repetition needs no Idempotency-Key. */
const CHANGE_NOTHING = [
  'createConsoleSession',
  'createStreamToken',
  'previewPrompt',
  'probeToolServer',
  'searchDatasource',
  'validateLlm',
];
const KEY = '#/components/parameters/IdempotencyKey';

const pathsOf = (file: string): Readonly<Record<string, { readonly post?: Post }>> =>
  (JSON.parse(readFileSync(file, 'utf8')) as { paths: ReturnType<typeof pathsOf> }).paths;
const paths = { ...pathsOf('openapi.json'), ...pathsOf('examples/openapi.json') };
const posts = Object.entries(paths).flatMap(([path, { post }]) =>
  post === undefined ? [] : [{ path, name: post.operationId, post }],
);

let database: TestDatabase;
let api: RunningApi;
beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

/** Fills a route with valid ids of resources that do not exist. */
function pathOf(path: string): string {
  const uuid = /executions|sessions|mcp-servers|connections|webhook-deliveries|order-requests/;
  const id = uuid.test(path) ? '0198c0de-0000-7000-8000-000000000001' : '1';
  return path.replace('{version}', '1').replaceAll(/\{\w+\}/g, id);
}

/** The example body of the OpenAPI document, or a form without parts for a route that takes forms only. */
function bodyOf({ requestBody }: Post): RequestOptions {
  const content = requestBody?.content ?? {};
  const json = content['application/json']?.example;
  if (json !== undefined) return { json };
  if (content['multipart/form-data'] === undefined) return {};
  return { raw: '--x--\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } };
}

it('there are POSTs, and those that change nothing are among them', () => {
  expect(posts.length).toBeGreaterThan(30);
  expect(posts.map(({ name }) => name)).toEqual(expect.arrayContaining(CHANGE_NOTHING));
});

describe.each(posts)('$name', ({ path, name, post }) => {
  const changesNothing = CHANGE_NOTHING.includes(name);
  const refused = 'Idempotency-Key: must be 1 to 255 visible ASCII characters';

  it('says whether it honours the Idempotency-Key, or why it needs none', () => {
    const takesKey = (post.parameters ?? []).some(({ $ref }) => $ref === KEY);
    expect([takesKey, post['x-changes-nothing'] !== undefined]).toEqual([!changesNothing, changesNothing]);
    const successes = Object.entries(post.responses).filter(([status]) => status.startsWith('2'));
    for (const [, { headers = {} }] of successes)
      expect(Object.hasOwn(headers, 'Idempotency-Replayed')).toBe(takesKey);
    expect(post['x-changes-nothing'] ?? 'a reason').not.toBe('');
  });

  it('does as it says: a key that is none is refused, or ignored', async () => {
    const { body } = await ask(api.url, pathOf(path), {
      method: 'POST',
      ...bodyOf(post),
      headers: { ...bodyOf(post).headers, 'idempotency-key': 'two words' },
    });
    if (changesNothing) expect(body['detail'] ?? '').not.toContain('Idempotency-Key');
    else expect(body['detail']).toContain(refused);
  });
});
