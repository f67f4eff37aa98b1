import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { envSchema } from './env.schema.js';
import { parseEnv } from './parse-env.js';

const DATABASE_URL = 'postgres://capstan@127.0.0.1:5432/capstan';

function messageOf(env: Record<string, string | undefined>): string {
  try {
    parseEnv(env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('parseEnv', () => {
  it('needs nothing but a database', () => {
    expect(parseEnv({ DATABASE_URL })).toMatchObject({
      http: { host: '127.0.0.1', port: 3000, auth: 'off' },
      redis: null,
      worker: { roles: ['execute', 'webhooks', 'housekeeping', 'ingest'], concurrency: 50 },
      execution: { timeoutMs: 300_000, maxima: { timeoutSeconds: 3_600, iterations: 30 }, leaseMs: 45_000 },
    });
  });

  it('refuses DOMAINS of earlier releases, with what takes its place', () => {
    expect(() => parseEnv({ DATABASE_URL, DOMAINS: 'parcels' })).toThrow('name their folders in PROJECT');
    expect(() => parseEnv({ DATABASE_URL, DOMAINS: '' })).not.toThrow();
  });

  it('refuses a default time above the longest that may be asked for', () => {
    const message = messageOf({ DATABASE_URL, EXECUTION_TIMEOUT_MAX_SECONDS: '299' });
    expect(message).toContain('EXECUTION_TIMEOUT_SECONDS: 300 is above EXECUTION_TIMEOUT_MAX_SECONDS, 299');
    const longer = { EXECUTION_TIMEOUT_SECONDS: '3700', EXECUTION_TIMEOUT_MAX_SECONDS: '3700' };
    expect(messageOf({ DATABASE_URL, ...longer })).toBe('');
  });

  it('lists every fault at once, each with the meaning of its variable', () => {
    const message = messageOf({ PORT: 'http', WORKER_ROLES: 'execute,dance', REDIS_URL: 'http://x' });
    expect(message).toContain('DATABASE_URL (URL of the PostgreSQL database');
    expect(message).toContain('PORT (port of the API): a port number');
    expect(message).toContain('): is missing');
    expect(message).toContain('WORKER_ROLES (comma-separated roles of a worker process');
    expect(message).toContain('REDIS_URL (URL of Redis for queue and live events');
    expect(message.split('\n')).toHaveLength(5);
  });

  const S3 = {
    S3_BUCKET: 'files',
    S3_ENDPOINT: 'http://minio:9000',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  };

  it('keeps files in a folder, in a bucket, or not at all', () => {
    expect(parseEnv({ DATABASE_URL }).blobs).toBeNull();
    expect(parseEnv({ DATABASE_URL }).knowledge).toBeNull();
    const folder = { kind: 'files', folder: '/data' };
    expect(parseEnv({ DATABASE_URL, DOCUMENTS_ROOT: '/data' })).toMatchObject({
      blobs: folder,
      knowledge: { blobs: folder },
    });
    expect(parseEnv({ DATABASE_URL, ...S3, S3_PATH_STYLE: 'true', S3_PREFIX: 'a/b' }).blobs).toEqual({
      kind: 's3',
      endpoint: 'http://minio:9000',
      region: 'us-east-1',
      bucket: 'files',
      prefix: 'a/b',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      isPathStyle: true,
    });
  });

  it.each(Object.keys(S3))('refuses S3 without %s, and names it', (name) => {
    const message = messageOf({ DATABASE_URL, ...S3, [name]: '' });
    expect(message).toContain(`${name}: is missing`);
    expect(message).not.toContain('secret"');
  });

  it('refuses two places for files', () => {
    expect(messageOf({ DATABASE_URL, ...S3, DOCUMENTS_ROOT: '/data' })).toContain(
      'DOCUMENTS_ROOT: files are kept there or in S3_BUCKET',
    );
  });

  it.each<[string, object[]]>([
    ['acme:crm.internal:8443', [{ tenantId: 'acme', host: 'crm.internal', port: 8443 }]],
    ['*:CRM.internal:*', [{ tenantId: null, host: 'crm.internal', port: null }]],
    [
      'a:10.0.0.7:80, b:[FD00:0::1]:443',
      [
        { tenantId: 'a', host: '10.0.0.7', port: 80 },
        { tenantId: 'b', host: '[fd00::1]', port: 443 },
      ],
    ],
    ['', []],
  ])('reads where tool servers may stand: %j', (PRIVATE_TOOL_HOSTS, expected) => {
    expect(parseEnv({ DATABASE_URL, PRIVATE_TOOL_HOSTS }).privateToolHosts).toEqual(expected);
  });

  it.each([
    'crm.internal',
    'crm.internal:8443',
    'acme:crm.internal',
    'acme:*:80',
    'acme:*.internal:80',
    'acme:10.0.0.0/8:80',
    'acme:http://crm.internal:80',
    'acme:fd00::1:443',
    'acme:u@crm.internal:80',
    'acme:crm.internal:0',
    'acme:crm.internal:65536',
    'ac me:crm.internal:80',
    'acme:crm.internal:80,',
  ])('refuses %j as a place of tool servers', (PRIVATE_TOOL_HOSTS) => {
    const message = messageOf({ DATABASE_URL, PRIVATE_TOOL_HOSTS });
    expect(message).toContain('a list of tenant:host:port');
    expect(message.split('\n')).toHaveLength(2);
  });

  it('reads the command lines of tool servers that are processes', () => {
    const STDIO_SERVERS = 'acme: npx  -y server-memory;*: node /srv/tools.mjs --of *';
    expect(messageOf({ DATABASE_URL, STDIO_SERVERS })).toContain('none of an interpreter alone');
    const lines = [
      { tenantId: 'acme', command: 'npx', args: ['-y', 'server-memory'], isOpen: false },
      { tenantId: null, command: 'node', args: ['/srv/tools.mjs'], isOpen: true },
    ];
    const usable = STDIO_SERVERS.replace('--of ', '');
    expect(parseEnv({ DATABASE_URL, STDIO_SERVERS: usable }).stdio).toEqual({ lines, isUnsafe: false });
    expect(parseEnv({ DATABASE_URL, STDIO_UNSAFE: 'true' }).stdio).toEqual({ lines: [], isUnsafe: true });
  });

  it.each([
    'node',
    'npx,node',
    '*: node',
    '*: node *',
    '*: npx -y',
    '*: npx -y *',
    '*: bash /srv/x',
    'a: uvx x;',
  ])('refuses %j as command lines of tool servers', (STDIO_SERVERS) => {
    expect(messageOf({ DATABASE_URL, STDIO_SERVERS })).toContain('STDIO_SERVERS');
  });

  it('reads which role a process of the whole service has', () => {
    expect(parseEnv({ DATABASE_URL }).role).toBe('all');
    expect(parseEnv({ DATABASE_URL, ROLE: 'worker', WORKER_ROLES: 'webhooks' }).role).toBe('worker');
    expect(messageOf({ DATABASE_URL, ROLE: 'both' })).toMatch(/ROLE .*"all"\|"api"\|"worker"/);
  });

  it.each([{}, { ROLE: 'all' }])('refuses half of the roles for a process of all roles, by %j', (given) => {
    const none = { DATABASE_URL, WORKER_ENGINE_RUNS: 'none', ...given };
    expect(() => parseEnv(none, 'of_all_roles')).toThrow('WORKER_ENGINE_RUNS: ROLE=all runs all executions');
    const half = { DATABASE_URL, WORKER_ROLES: 'webhooks,housekeeping', ...given };
    expect(() => parseEnv(half, 'of_all_roles')).toThrow('WORKER_ROLES: ROLE=all runs executions');
    expect(parseEnv(half).worker.roles).toEqual(['webhooks', 'housekeeping']);
    expect(parseEnv({ ...half, ROLE: 'worker' }, 'of_all_roles').role).toBe('worker');
  });

  it('takes an empty variable for one that is not set', () => {
    expect(parseEnv({ DATABASE_URL, REDIS_URL: '', OPENAI_API_KEY: '' })).toMatchObject({
      redis: null,
      models: { connections: { openai: { apiKey: null } } },
    });
  });

  it.each([
    ['0.0.0.0', 'off', false],
    ['192.168.1.5', 'off', false],
    ['127.evil.example', 'off', false],
    ['0.0.0.0', 'api-key', true],
    ['127.0.0.1', 'off', true],
    ['127.8.9.1', 'off', true],
    ['localhost', 'off', true],
    ['::1', 'off', true],
  ])('HOST=%s with AUTH=%s is allowed: %s', (HOST, AUTH, isAllowed) => {
    expect(messageOf({ DATABASE_URL, HOST, AUTH }) === '').toBe(isAllowed);
  });

  it('lists what does not go together beside what is wrong by itself', () => {
    const message = messageOf({ HOST: '0.0.0.0', PORT: 'abc' });
    expect(message.split('\n')).toHaveLength(4);
    expect(message).toContain('AUTH: "off"');
  });

  it('names HOST when AUTH=off is not allowed', () => {
    expect(messageOf({ DATABASE_URL, HOST: '0.0.0.0' })).toContain('HOST is "0.0.0.0"');
  });
});

describe('a key that is none', () => {
  it.each(['sk-your-key', 'your_api_key', '<your key>', 'sk-...', 'sk-…', 'xxxx', 'CHANGE_ME'])(
    'is found: %s',
    (OPENAI_API_KEY) => {
      expect(messageOf({ DATABASE_URL, OPENAI_API_KEY })).toContain(
        `"${OPENAI_API_KEY}" stands in the place`,
      );
    },
  );

  it.each(['sk-proj-Ab3xxY9', 'simulator', 'none', 'sk-invalid'])('may look odd: %s', (OPENAI_API_KEY) => {
    expect(messageOf({ DATABASE_URL, OPENAI_API_KEY })).toBe('');
  });
});

describe('.env.example', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8');
  const example: Record<string, string> = Object.fromEntries(
    [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

  it('is a usable environment, but for the keys that it only shows the place of', () => {
    expect(messageOf(example).split('\n').slice(1)).toEqual([
      '  - OPENAI_API_KEY: "sk-your-key" stands in the place of a key: put your own there, or leave it out',
      '  - OPENAI_COMPATIBLE_API_KEY: "sk-your-key" stands in the place of a key: put your own there, or leave it out',
      '  - ANTHROPIC_API_KEY: "sk-ant-your-key" stands in the place of a key: put your own there, or leave it out',
      '  - BEDROCK_KEY: "AKIA...:your-secret-key" stands in the place of a key: put your own there, or leave it out',
    ]);
  });

  it('changes nothing where it is copied: no line is in force', () => {
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  });

  it('names every variable of the schema and no other', () => {
    expect(Object.keys(example).sort()).toEqual(Object.keys(envSchema.shape).sort());
  });
});
