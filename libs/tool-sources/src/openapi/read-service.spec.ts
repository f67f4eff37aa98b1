import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { LoadedService } from './loaded-service.js';
import type { Operation } from './operation.js';
import type { DescriptionText } from './parse-description.js';

const info = { title: 'Orders', version: '1' };
const load = (document: JsonObject | DescriptionText): LoadedService => {
  const isText = typeof document === 'string' || 'files' in document;
  return new LoadedService(isText ? (document as DescriptionText) : JSON.stringify(document));
};
const described = (paths: JsonObject, more: JsonObject = {}): LoadedService =>
  load({ openapi: '3.0.3', info, paths, ...more });

/** The operation of this name, by default the first. */
function operationOf({ service: { operations } }: LoadedService, name = operations[0]?.name): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`there is no operation ${name}`);
  return found;
}

const tools = (loaded: LoadedService): unknown[] =>
  loaded.service.operations.map(({ name, effect, description }) => [name, effect, description]);

describe('the operations of a description (S4-10, 3.I-12)', () => {
  it('are named by operationId, else by method and path, and say what a repeat does', () => {
    const parameters = [{ name: 'userId', in: 'path', required: true, schema: { type: 'string' } }];
    const loaded = described({
      '/users/{userId}': {
        parameters,
        get: { summary: ' A user ', description: 'With name.' },
        head: {},
        put: { operationId: 'replaceUser', description: 'Puts it.' },
        delete: { operationId: '  ' },
        patch: {},
      },
      '/a-b/c.d/': { post: { summary: 'Makes one' }, options: {}, trace: {} },
      'x-more': { get: {} },
    });
    expect(tools(loaded)).toEqual([
      ['get_users_userId', 'read', 'A user\n\nWith name.'],
      ['head_users_userId', 'read', 'HEAD /users/{userId}'],
      ['replaceUser', 'idempotent', 'Puts it.'],
      ['delete_users_userId', 'idempotent', 'DELETE /users/{userId}'],
      ['patch_users_userId', 'unsafe', 'PATCH /users/{userId}'],
      ['post_ab_cd', 'unsafe', 'Makes one'],
      ['options_ab_cd', 'unsafe', 'OPTIONS /a-b/c.d/'],
    ]);
    expect(loaded.service.faults).toEqual([]);
  });

  it('have names that differ, also where the description repeats one', () => {
    const loaded = described({
      '/a': { get: { operationId: 'same' }, post: { operationId: 'same' } },
      '/a/': { post: { operationId: 'same' } },
    });
    expect(loaded.service.operations.map(({ name }) => name)).toEqual(['same', 'post_a', 'post_a_2']);
  });

  it.each(['Idempotency-Key', 'x-idempotency-key'])(
    'take effect once where the description has a header %s, which is no argument',
    (name) => {
      const header = { name, in: 'header', required: true, schema: { type: 'string' } };
      const loaded = described({ '/a': { post: { parameters: [header] }, get: { parameters: [header] } } });
      expect(loaded.service.operations.map(({ effect, keyHeader }) => [effect, keyHeader])).toEqual(
        [
          ['read', name],
          ['idempotent', name],
        ].toSorted((one) => (one[0] === 'read' ? -1 : 1)),
      );
      expect(loaded.prepare(operationOf(loaded)).arguments.inputSchema['properties']).toEqual({});
    },
  );

  it('know the first server, with its variables, of the operation, of the path, of all', () => {
    const url = 'https://{region}.example.com/{base}';
    const servers = [
      { url, variables: { region: { default: 'eu' }, base: { default: 2 } } },
      { url: 'https://b' },
    ];
    const own = [{ url: 'https://own.example.com' }];
    const loaded = described(
      { '/a': { get: {}, put: { servers: own } }, '/b': { servers: [{ url: '/b' }], get: {} } },
      { servers },
    );
    expect(loaded.service.operations.map(({ serverUrl }) => serverUrl)).toEqual([
      'https://eu.example.com/2',
      'https://own.example.com',
      '/b',
    ]);
  });

  it('are read of several files, and of references in any part of them', () => {
    const loaded = load({
      root: 'api/openapi.yaml',
      files: {
        'api/openapi.yaml': [
          'openapi: 3.1.0',
          'info: {title: Orders, version: "1"}',
          'paths:',
          '  /orders/{id}: {$ref: "paths/orders.yaml#/one~1order"}',
        ].join('\n'),
        'api/paths/orders.yaml': [
          'one/order:',
          '  parameters: [{$ref: "../../parts.json#/id"}]',
          '  put:',
          '    operationId: putOrder',
          '    requestBody: {$ref: "#/body"}',
          'body:',
          '  content:',
          '    application/json:',
          '      schema: {$ref: "../../parts.json#/order"}',
        ].join('\n'),
        'parts.json': JSON.stringify({
          id: { name: 'id', in: 'path', required: true, schema: { $ref: '#/text' } },
          text: { type: 'string' },
          order: {
            type: 'object',
            properties: { note: { $ref: '#/text' }, parts: { items: { $ref: '#/order' } } },
          },
        }),
      },
    });
    expect(loaded.service.faults).toEqual([]);
    const { properties } = loaded.prepare(operationOf(loaded)).arguments.inputSchema as Record<
      string,
      JsonObject
    >;
    expect(Object.keys(properties ?? {})).toEqual(['id', 'note', 'parts']);
  });

  it('are those of Swagger 2.0 too', () => {
    const loaded = load({
      swagger: '2.0',
      info,
      host: 'api.example.com',
      basePath: '/v1',
      schemes: ['https'],
      securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, basic: { type: 'basic' } },
      paths: {
        '/pets': {
          post: {
            operationId: 'addPet',
            consumes: ['application/json'],
            parameters: [
              {
                name: 'tags',
                in: 'query',
                type: 'array',
                items: { type: 'string' },
                collectionFormat: 'pipes',
              },
              { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
            ],
            responses: { 200: { description: 'done' } },
          },
          put: {
            operationId: 'upload',
            consumes: ['multipart/form-data'],
            parameters: [{ name: 'photo', in: 'formData', type: 'file', required: true }],
            responses: { 200: { description: 'done' } },
          },
        },
      },
      definitions: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    });
    expect(loaded.service.faults).toEqual([]);
    const add = operationOf(loaded, 'addPet');
    expect(add.serverUrl).toBe('https://api.example.com/v1');
    expect(add.parameters[0]?.writing).toEqual({
      style: 'pipeDelimited',
      explode: false,
      allowReserved: false,
    });
    expect(loaded.prepare(add).arguments.inputSchema['required']).toEqual(['name']);
    const upload = operationOf(loaded, 'upload');
    expect(loaded.prepare(upload).arguments.places.get('photo')).toEqual({
      kind: 'field',
      name: 'photo',
      isBytes: true,
    });
    expect([...loaded.service.schemes.values()]).toEqual([
      { kind: 'key', in: 'header', name: 'X-Key' },
      { kind: 'basic' },
    ]);
  });

  it('are listed apart when they are not usable, without effect on the others', () => {
    const loaded = described(
      {
        '/a': { get: { parameters: [{ name: 'q', in: 'qurey' }] }, put: {} },
        '/b/{id}': { get: {} },
        '/c': { post: { requestBody: { $ref: '#/components/requestBodies/none' } } },
        '/d': { post: { requestBody: { $ref: 'https://example.com/body.yaml' } } },
        '/e': { get: 7 },
        f: { get: {} },
        '/g': { get: { parameters: [{ $ref: '#/components/parameters/a' }] } },
      },
      {
        components: {
          parameters: { a: { $ref: '#/components/parameters/b' }, b: { $ref: '#/components/parameters/a' } },
        },
      },
    );
    expect(loaded.service.operations.map(({ name }) => name)).toEqual(['put_a']);
    expect(loaded.service.faults).toEqual([
      '#/paths/~1a/get/parameters/0/in: must be one of path, query, header, cookie',
      '#/paths/~1b~1{id}/get: must have a parameter in path of the name "id"',
      '#/paths/~1c/post/requestBody: has a $ref to "/components/requestBodies/none", which is not there',
      '#/paths/~1d/post/requestBody: has a $ref out of the upload: nothing is fetched, so it must be "#/…" or a file of it',
      '#/paths/~1e/get: must be an object',
      '#/paths/f: must have a path that begins with /',
      '#/paths/~1g/get/parameters/0: has a $ref that leads in a circle',
    ]);
  });
});
