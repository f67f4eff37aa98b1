import { describe, expect, it } from '@jest/globals';
import type { ToolServer } from '../api/types.js';
import { authFields, configOf, EMPTY_SERVER, serverDraftOf, type ServerDraft } from './server-draft.js';

const stored = (type: ToolServer['type'], config: Record<string, unknown>) =>
  serverDraftOf({
    ...{ id: 'id', name: 'crm', type, status: 'active', config, tools: {}, created_at: '', updated_at: '' },
    limits: { timeout_ms: 1000, concurrency: 2 },
  });

describe('the form of a tool server', () => {
  it.each<[ToolServer['type'], Record<string, unknown>]>([
    [
      'http',
      { url: 'https://a.example/mcp', headers_template: { 'X-Key': null, Authorization: 'Bearer ${t}' } },
    ],
    ['sse', { url: 'https://a.example/sse' }],
    ['stdio', { command: 'npx', args: ['-y', 'server'], env_template: { TOKEN: null } }],
    [
      'openapi',
      {
        document: { files: { 'a.json': '{}' }, root: 'a.json' },
        base_url: 'https://a.example',
        headers_template: { 'X-Key': null },
        query_template: { key: '${k}' },
        security: { basic: null },
      },
    ],
    ['builtin', {}],
    [
      'http',
      {
        url: 'https://a.example/mcp',
        auth: {
          type: 'oauth',
          grant: 'client_credentials',
          client_auth: 'client_secret_basic',
          issuer: 'https://i.example',
          client_id: 'me',
          client_secret: null,
        },
      },
    ],
  ])('with the type %s keeps what was stored, a stored text as null', (type, config) => {
    expect(configOf(stored(type, config))).toEqual(config);
  });

  it('keeps a stored text that is emptied, and sends a new one that is empty', () => {
    const rows = [
      { name: 'X-Old', value: '', isStored: true },
      { name: 'X-New', value: '', isStored: false },
    ];
    const draft: ServerDraft = {
      ...EMPTY_SERVER,
      url: ' https://a.example ',
      templates: { ...EMPTY_SERVER.templates, headers_template: rows },
    };
    expect(configOf(draft)).toEqual({
      url: 'https://a.example',
      headers_template: { 'X-Old': null, 'X-New': '' },
    });
  });
});

describe('the fields of an OAuth client', () => {
  it('depend on the grant, and on how the client proves itself', () => {
    expect(authFields({ grant: 'client_credentials', client_auth: 'private_key_jwt' })).toEqual([
      'issuer',
      'client_id',
      'key_algorithm',
      'private_key',
      'scope',
    ]);
    expect(authFields({ grant: 'authorization_code', client_auth: 'registered' })).toEqual([
      'issuer',
      'client_metadata_url',
      'scope',
      'redirect_uri',
    ]);
    expect(authFields({})).toEqual([]);
  });

  it('are sent without those of another way', () => {
    const auth = {
      type: 'oauth',
      grant: 'authorization_code',
      client_auth: 'none',
      client_id: 'me',
      client_secret: 'left over',
      scope: '',
      redirect_uri: 'https://me.example/back',
    };
    expect(configOf({ ...EMPTY_SERVER, url: 'https://a.example', auth })).toEqual({
      url: 'https://a.example',
      auth: {
        type: 'oauth',
        grant: 'authorization_code',
        client_auth: 'none',
        client_id: 'me',
        redirect_uri: 'https://me.example/back',
      },
    });
  });
});
