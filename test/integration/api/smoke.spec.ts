import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { startApi, type RunningApi } from './api-fixture.js';
import { ask } from './http-client.js';
let api: RunningApi; let db: {url:string; drop(): Promise<void>};
beforeAll(async () => { db = await createSeededDatabase(); api = await startApi({ DATABASE_URL: db.url }); });
afterAll(async () => { await api.app.close(); await db.drop(); });
it('x', async () => {
  const instance = api.app.getHttpAdapter().getInstance();
  const syms = Object.getOwnPropertySymbols(instance);
  for (const s of syms) if (String(s).includes('middie')) console.log(String(s), (instance as any)[s]);
  await ask(api.url, '/api/agents/1');
  console.log(api.log.slice(-2).join(''));
  expect(1).toBe(1);
});
