import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SCOPES } from '#libs/persistence';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { createKey } from '../api/api-keys.js';
import { ask } from '../api/http-client.js';

const PATH = '/api/support-shop/';
const SHOP = { refunds_url: 'https://shop.example.com/refunds', refunds_token: 'shop-token' };

let database: TestDatabase;
let api: RunningApi;
beforeAll(async () => {
  database = await createSeededDatabase();
  const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  api = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY, AUTH: 'api-key' });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

async function client(tenantId: string, scopes: readonly string[] = SCOPES) {
  const key = await createKey(api.dataSource, scopes, tenantId);
  const headers = { authorization: `Bearer ${key}` };
  return async (method: string, json?: object): Promise<number> =>
    (await ask(api.url, PATH, { method, headers, ...(json !== undefined && { json }) })).status;
}

it('DELETE /api/support-shop/ forgets the shop and its token, of its own tenant only', async () => {
  const [own, stranger] = [await client('default'), await client('stranger')];
  for (const shop of [own, stranger]) expect(await shop('PUT', SHOP)).toBe(200);
  expect(await own('DELETE')).toBe(204);
  expect([await own('GET'), await own('DELETE'), await stranger('GET')]).toEqual([404, 404, 200]);
  expect(await api.dataSource.query('SELECT tenant_id FROM domain_secret')).toEqual([
    { tenant_id: 'stranger' },
  ]);
});

it('needs the scope that names one', async () => {
  expect(await (await client('default'))('PUT', SHOP)).toBe(200);
  const some = SCOPES.filter((scope) => scope !== 'agents:write');
  const reader = await client('default', some);
  expect([await reader('DELETE'), await reader('GET')]).toEqual([403, 200]);
});
