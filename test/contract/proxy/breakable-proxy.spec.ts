import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase } from '../../support/services/test-database.js';
import { startBreakableProxy, type BreakableProxy } from '../../support/services/breakable-proxy.js';

let proxy: BreakableProxy;
let drop: () => Promise<void>;
const opened: Client[] = [];
beforeEach(async () => {
  const database = await createTestDatabase();
  drop = () => database.drop();
  proxy = await startBreakableProxy(database.url);
});
afterEach(async () => {
  await proxy.close();
  await Promise.all(opened.splice(0).map((client) => client.end().catch(() => undefined)));
  await drop();
});

async function open(): Promise<Client> {
  const client = new Client({ connectionString: proxy.url, query_timeout: 500 });
  client.on('error', () => undefined);
  await client.connect();
  opened.push(client);
  return client;
}

const ask = async (client: Client): Promise<unknown> => (await client.query('SELECT 1 AS one')).rows;

it('silences what stands, and lets new connections work', async () => {
  const old = await open();
  proxy.silence();
  await expect(ask(old)).rejects.toThrow('Query read timeout');
  expect(await ask(await open())).toEqual([{ one: 1 }]);
});

it('cuts everything until it is restored', async () => {
  const old = await open();
  proxy.cut();
  await expect(ask(old)).rejects.toThrow();
  await expect(open()).rejects.toThrow();
  proxy.restore();
  expect(await ask(await open())).toEqual([{ one: 1 }]);
});

it('swallows the answer to a commit that took place', async () => {
  const [writer, reader] = [await open(), await open()];
  await writer.query('CREATE TABLE mark (n int)');
  await writer.query('BEGIN');
  await writer.query('INSERT INTO mark VALUES (1)');
  const swallowed = proxy.swallowAnswersAfter('COMMIT');
  await expect(writer.query('COMMIT')).rejects.toThrow('Query read timeout');
  await swallowed;
  expect((await reader.query('SELECT n FROM mark')).rows).toEqual([{ n: 1 }]);
});
