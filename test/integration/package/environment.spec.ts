import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { examineEnvironment } from '../../../scripts/project/examine-environment.ts';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createSeededDatabase();
});
afterAll(() => database.drop());

async function outcomes(environment: Readonly<Record<string, string>>) {
  const found = new Map<string, string>();
  for await (const { name, outcome, found: text } of examineEnvironment(environment))
    found.set(name, `${outcome}: ${text}`);
  return found;
}

it('finds a migrated database, the clocks, the disk and a port that is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? String(address?.port) : '';

  const found = await outcomes({ DATABASE_URL: database.url, DATABASE_DIRECT_URL: database.url, PORT: port });

  server.close();
  expect(found.get('database')).toMatch(/^ok: PostgreSQL \d+/);
  expect(found.get('migrated')).toMatch(/^ok: \d+ migrations$/);
  expect(found.get('pooler')).toBe('ok: DATABASE_DIRECT_URL leads past it');
  expect(found.get('clocks')).toMatch(/^ok: /);
  expect(found.get('redis')).toMatch(/^ok: none/);
  expect(found.get('disk')).toMatch(/GiB free at/);
  expect(found.get('ports')).toMatch(new RegExp(`^warning: ${port} of `));
});

it('says what does not work, and never an address with its password', async () => {
  const found = await outcomes({
    DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/none',
    REDIS_URL: 'redis://:secret@127.0.0.1:1',
    FILES_ROOT: '/nowhere/at/all',
  });

  expect(found.get('database')).toMatch(/^failed: DATABASE_URL does not work: .*ECONNREFUSED/);
  expect(found.get('redis')).toMatch(/^failed: REDIS_URL does not work/);
  expect(found.get('disk')).toMatch(/^failed: \/nowhere\/at\/all/);
  expect([...found.values()].join('\n')).not.toContain('secret');
});
