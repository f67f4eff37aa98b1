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

describe('credentials', () => {
  const securitySchemes = {
    inHeader: { type: 'apiKey', in: 'header', name: 'X-Key' },
    inQuery: { type: 'apiKey', in: 'query', name: 'key' },
    inCookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    bearer: { type: 'http', scheme: 'Bearer' },
    basic: { type: 'http', scheme: 'basic' },
    oauth: { type: 'oauth2', flows: {} },
    tls: { type: 'mutualTLS' },
  };
  const document = { components: { securitySchemes } };
  const SECRETS = { inHeader: 'h', inQuery: 'q&', inCookie: 'c', bearer: 'b', basic: 'me:pw', oauth: 'o' };

  it.each<[string, string, JsonObject]>([
    ['inHeader', '', { 'x-key': 'h' }],
    ['inQuery', '?key=q%26', {}],
    ['inCookie', '', { cookie: 'session=c' }],
    ['bearer', '', { authorization: 'Bearer b' }],
    ['basic', '', { authorization: 'Basic bWU6cHc=' }],
    ['oauth', '', { authorization: 'Bearer o' }],
  ])('fill the scheme %s', (name, query, headers) => {
    const request = sent({
      document,
      operation: { security: [{ [name]: [] }] },
      credentials: { security: SECRETS },
    });
    expect(request.url).toBe(`https://api.test/a${query}`);
    expect(request.headers).toEqual({ accept: expect.any(String), ...headers });
  });

  it.each<[string, JsonObject, Record<string, string>, readonly string[]]>([
    [
      'the first set that is whole',
      { security: [{ bearer: [], inHeader: [] }, { inHeader: [] }] },
      { inHeader: 'h' },
      ['x-key'],
    ],
    [
      'all of a set',
      { security: [{ bearer: [], inHeader: [] }] },
      { inHeader: 'h', bearer: 'b' },
      ['authorization', 'x-key'],
    ],
    ['none of a set that is not whole', { security: [{ bearer: [], inHeader: [] }] }, { inHeader: 'h' }, []],
    ['none where the operation wants none', { security: [] }, { inHeader: 'h' }, []],
    ['those that are filled where nothing is said', {}, { inHeader: 'h', unknown: 'x' }, ['x-key']],
    ['none that cannot be sent', { security: [{ tls: [] }] }, { tls: 'x' }, []],
  ])('are %s', (_which, operation, security, names) => {
    const { headers } = sent({ document, operation, credentials: { security } });
    expect(
      Object.keys(headers)
        .filter((name) => name !== 'accept')
        .toSorted(),
    ).toEqual(names);
  });

  it('from the configuration take precedence over arguments of the model', () => {
    const parameters = [
      { name: 'X-Tenant', in: 'header', schema: {} },
      { name: 'tenant', in: 'query', schema: {} },
    ];
    const request = sent({
      operation: { parameters },
      input: { 'X-Tenant': 'other', tenant: 'other' },
      credentials: { headers: { 'x-TENANT': 'own' }, query: { tenant: 'o&n' } },
    });
    expect([request.headers['x-tenant'], request.url]).toEqual(['own', 'https://api.test/a?tenant=o%26n']);
  });

  it('come with the key of the call where the description has a header for it', () => {
    const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: {} }];
    expect(sent({ operation: { parameters }, method: 'post' }).headers['idempotency-key']).toBe(KEY);
    expect(sent({ method: 'post' }).headers['idempotency-key']).toBeUndefined();
  });
});
