import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import type { ServerCredentials } from '#libs/tooling';
import { buildRequest, type BuiltRequest } from './build-request.js';
import { LoadedService } from './loaded-service.js';

const NOTHING: ServerCredentials = { headers: {}, query: {}, env: {}, security: {}, missing: [] };
const KEY = 'execution.1.0';

interface Asked {
  readonly operation?: JsonObject;
  readonly path?: string;
  readonly method?: string;
  readonly input?: JsonObject;
  readonly document?: JsonObject;
  readonly baseUrl?: string | null;
  readonly credentials?: Partial<ServerCredentials>;
}

function build(asked: Asked): BuiltRequest {
  const {
    operation = {},
    path = '/a',
    method = 'get',
    input = {},
    document = {},
    baseUrl = 'https://api.test',
  } = asked;
  const paths = { [path]: { [method]: operation } };
  const loaded = new LoadedService(JSON.stringify({ openapi: '3.1.0', paths, ...document }));
  expect(loaded.service.faults).toEqual([]);
  const [found] = loaded.service.operations;
  const called = {
    baseUrl,
    schemes: loaded.service.schemes,
    credentials: { ...NOTHING, ...asked.credentials },
  };
  if (found === undefined) throw new Error('there is no operation');
  return buildRequest(found, loaded.prepare(found).arguments, input, called, KEY);
}

function sent(asked: Asked) {
  const built = build(asked);
  if (built.kind !== 'request') throw new Error(built.text);
  return built.request;
}

const LIST = ['blue', 'a b'];
const FIELDS = { R: 100, 'G&': 'x/y' };

describe('a parameter (RFC 6570, OpenAPI)', () => {
  it.each<[string, JsonObject, unknown, string]>([
    ['simple', {}, 'a/b ü', 'a%2Fb%20%C3%BC'],
    ['simple', {}, LIST, 'blue,a%20b'],
    ['simple', {}, FIELDS, 'R,100,G%26,x%2Fy'],
    ['simple*', { explode: true }, FIELDS, 'R=100,G%26=x%2Fy'],
    ['label', { style: 'label' }, 'blue', '.blue'],
    ['label', { style: 'label' }, LIST, '.blue,a%20b'],
    ['label*', { style: 'label', explode: true }, LIST, '.blue.a%20b'],
    ['label*', { style: 'label', explode: true }, FIELDS, '.R=100.G%26=x%2Fy'],
    ['matrix', { style: 'matrix' }, true, ';p=true'],
    ['matrix', { style: 'matrix' }, LIST, ';p=blue,a%20b'],
    ['matrix*', { style: 'matrix', explode: true }, LIST, ';p=blue;p=a%20b'],
    ['matrix', { style: 'matrix' }, FIELDS, ';p=R,100,G%26,x%2Fy'],
    ['matrix*', { style: 'matrix', explode: true }, FIELDS, ';R=100;G%26=x%2Fy'],
  ])('in a path goes as %s', (_style, writing, value, written) => {
    const parameters = [{ name: 'p', in: 'path', required: true, schema: {}, ...writing }];
    const request = sent({
      operation: { parameters },
      path: '/a/{p}/b',
      input: { p: value } as JsonObject,
    });
    expect(request.url).toBe(`https://api.test/a/${written}/b`);
  });

  it.each<[string, JsonObject, unknown, string]>([
    ['form*', {}, 'a b&c', '?p=a%20b%26c'],
    ['form*', {}, 0, '?p=0'],
    ['form*', {}, LIST, '?p=blue&p=a%20b'],
    ['form', { explode: false }, LIST, '?p=blue,a%20b'],
    ['form', { explode: false }, [], ''],
    ['form', { explode: false }, FIELDS, '?p=R,100,G%26,x%2Fy'],
    ['form*', {}, FIELDS, '?R=100&G%26=x%2Fy'],
    ['spaceDelimited', { style: 'spaceDelimited' }, ['a', 'b'], '?p=a%20b'],
    ['pipeDelimited', { style: 'pipeDelimited' }, ['a', 'b'], '?p=a%7Cb'],
    [
      'deepObject',
      { style: 'deepObject' },
      { a: { b: [1, { c: 'x y' }] }, d: 2 },
      '?p[a][b][0]=1&p[a][b][1][c]=x%20y&p[d]=2',
    ],
    ['allowReserved', { allowReserved: true }, 'a/b?c=d&e', '?p=a/b?c%3Dd%26e'],
    ['JSON', { content: { 'application/json': {} } }, { a: [1] }, '?p=%7B%22a%22%3A%5B1%5D%7D'],
    ['nothing where it is null', {}, null, ''],
  ])('in a query goes as %s', (_style, writing, value, written) => {
    const parameters = [{ name: 'p', in: 'query', schema: {}, ...writing }];
    const request = sent({ operation: { parameters }, input: { p: value } as JsonObject });
    expect(request.url).toBe(`https://api.test/a${written}`);
  });

  it('goes in headers and cookies, by its own name', () => {
    const parameters = [
      { name: 'X-List', in: 'header', schema: {} },
      { name: 'seen', in: 'cookie', schema: {} },
      { name: 'b', in: 'cookie', schema: {} },
    ];
    const { headers } = sent({
      operation: { parameters },
      input: { 'X-List': ['a', 'b c'], seen: 'x;y', b: 2 },
    });
    expect(headers).toMatchObject({ 'x-list': 'a,b c', cookie: 'seen=x%3By; b=2' });
  });

  it.each(['.', '..', '../admin', '.%2e', '..\\admin', '', 'a?b#c'])(
    'never leads to another path: %p',
    (value) => {
      const parameters = [{ name: 'p', in: 'path', required: true, schema: {} }];
      const built = build({ operation: { parameters }, path: '/a/{p}', input: { p: value } });
      if (built.kind === 'unsendable') expect(['.', '..', '']).toContain(value);
      else expect(new URL(built.request.url).pathname).toMatch(/^\/a\/[^/]+$/);
    },
  );

  it.each(['a\r\nx-evil: 1', 'ü', '\u0000'])(
    'in a header is refused if no header can hold it: %j',
    (value) => {
      const parameters = [{ name: 'X-A', in: 'header', schema: {} }];
      expect(build({ operation: { parameters }, input: { 'X-A': value } })).toEqual({
        kind: 'unsendable',
        text: 'Invalid header parameter: X-A must be printable ASCII in one line',
      });
    },
  );
});

describe('a body', () => {
  const body = (mediaType: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
    requestBody: { required: true, content: { [mediaType]: { schema, ...more } } },
  });
  const fields = { type: 'object', properties: { a: {}, b: {}, c: {} } };

  it.each<[string, JsonObject, JsonObject, string, string]>([
    [
      'JSON of its fields',
      body('application/json', fields),
      { a: [1], b: null },
      'application/json',
      '{"a":[1],"b":null}',
    ],
    [
      'JSON as a whole',
      body('application/vnd.x+json', { type: 'array', items: {} }),
      { body: [1] },
      'application/vnd.x+json',
      '[1]',
    ],
    ['{} where nothing is given', body('application/json', fields), {}, 'application/json', '{}'],
    ['text', body('text/csv', { type: 'string' }), { body: 'a;b\n' }, 'text/csv', 'a;b\n'],
    [
      'a form',
      body('application/x-www-form-urlencoded', fields),
      { a: 'x y', b: [1, 2], c: { d: 1 } },
      'application/x-www-form-urlencoded',
      'a=x%20y&b=1&b=2&c=%7B%22d%22%3A1%7D',
    ],
    [
      'a form as its encoding says',
      body('application/x-www-form-urlencoded', fields, {
        encoding: { c: { style: 'deepObject', explode: true }, b: { explode: false } },
      }),
      { b: [1, 2], c: { d: { e: 1 }, f: [2] } },
      'application/x-www-form-urlencoded',
      'b=1,2&c[d][e]=1&c[f][0]=2',
    ],
  ])('is %s', (_what, operation, input, contentType, written) => {
    const request = sent({ operation, method: 'post', input });
    expect([request.headers['content-type'], request.body]).toEqual([contentType, written]);
  });

  it('is bytes of base64, alone or as a file of a form', () => {
    const bytes = Buffer.from([0, 255, 13, 10]);
    const one = sent({
      operation: body('application/pdf', {}),
      method: 'post',
      input: { body: bytes.toString('base64') },
    });
    expect(Buffer.from(one.body as Uint8Array)).toEqual(bytes);
    const file = { type: 'string', format: 'binary' };
    const schema = { type: 'object', properties: { photos: file, note: { type: 'string' } } };
    const operation = body('multipart/form-data', schema, {
      encoding: { photos: { contentType: 'image/png' } },
    });
    const request = sent({
      operation,
      method: 'post',
      input: { photos: bytes.toString('base64'), note: 'ü' },
    });
    const written = Buffer.from(request.body as Uint8Array).toString('latin1');
    expect(request.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(written).toContain(
      'name="photos"; filename="photos"\r\nContent-Type: image/png\r\n\r\n\x00\xff\r\n\r\n--',
    );
    expect(written).toContain('name="note"\r\n\r\n\xc3\xbc\r\n');
    expect(build({ operation, method: 'post', input: { photos: 'no base64!' } })).toEqual({
      kind: 'unsendable',
      text: 'Invalid value of photos: it must be bytes in base64',
    });
  });

  it('as a form has its fields in the order of the description, each file as a part, JSON without a file name', () => {
    const properties = {
      key: { type: 'string' },
      meta: { type: 'object', properties: { a: { type: 'integer' } } },
      table: { type: 'string' },
      files: { type: 'array', items: { type: 'string', format: 'binary' } },
    };
    const operation = body(
      'multipart/form-data',
      { type: 'object', properties },
      {
        encoding: { table: { contentType: 'text/csv, text/plain' }, files: { contentType: 'image/*' } },
      },
    );
    const input = { files: ['aGVsbG8=', 'd29ybGQ='], table: 'a;b', meta: { a: 1 }, key: 'k"1' };
    const { body: written, headers } = sent({ operation, method: 'post', input });
    const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1] ?? '';
    const part = (disposition: string, content: string): string =>
      `Content-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
    const file = (name: string) =>
      `name="files"; filename="${name}"\r\nContent-Type: application/octet-stream`;
    expect(
      Buffer.from(written as Uint8Array)
        .toString()
        .split(`--${boundary}`),
    ).toEqual([
      '',
      `\r\n${part('name="key"', 'k"1')}`,
      `\r\n${part('name="meta"\r\nContent-Type: application/json', '{"a":1}')}`,
      `\r\n${part('name="table"\r\nContent-Type: text/csv', 'a;b')}`,
      `\r\n${part(file('file-1'), 'hello')}`,
      `\r\n${part(file('file-2'), 'world')}`,
      '--\r\n',
    ]);
  });

  it('stays away where it may and nothing is given', () => {
    const operation = { requestBody: { content: { 'application/json': { schema: fields } } } };
    const request = sent({ operation, method: 'post' });
    expect([request.body, request.headers['content-type']]).toEqual([null, undefined]);
  });
});

describe('an address', () => {
  const servers = [{ url: 'https://described.test/v1/' }];
  it.each<[string, string | null, JsonObject, string]>([
    [
      'that is configured, before that of the description',
      'https://own.test/x?key=1',
      { servers },
      'https://own.test/x/a?key=1',
    ],
    ['of the description', null, { servers }, 'https://described.test/v1/a'],
  ])('is that %s', (_which, baseUrl, document, url) => {
    expect(sent({ baseUrl, document }).url).toBe(url);
  });

  it.each<[string, JsonObject]>([
    ['there is none', {}],
    ['it is a path only', { servers: [{ url: '/v1' }] }],
    ['it is not http', { servers: [{ url: 'ftp://example.com' }] }],
    ['it has a password', { servers: [{ url: 'https://a:b@example.com' }] }],
  ])('is not configured where %s', (_why, document) => {
    expect(build({ baseUrl: null, document })).toEqual({
      kind: 'unsendable',
      text: 'API base URL is not configured',
    });
  });

  it('misses a parameter of the path', () => {
    const parameters = [{ name: 'p', in: 'path', required: true, schema: {} }];
    expect(build({ operation: { parameters }, path: '/a/{p}' })).toEqual({
      kind: 'unsendable',
      text: 'Missing required path parameter: p',
    });
  });
});
