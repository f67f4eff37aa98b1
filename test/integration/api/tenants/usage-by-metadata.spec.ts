import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { UsagePageDto } from '../../../../apps/api/src/usage/usage.dto.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';
import { storeUsage, type UsageRow } from './store-usage.js';

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

const store = (executionId: string, row: UsageRow) => storeUsage(api.dataSource, executionId, row);

it('sums usage by a key of the metadata of executions, and only those with a pair', async () => {
  const submit = async (metadata: object): Promise<string> => {
    const json = { input: 'x', metadata };
    const { body } = await ask(api.url, '/api/agents/1/execute/', { json });
    return z.object({ id: z.uuid() }).parse(body).id;
  };
  const at = '2026-06-01T12:00:00Z';
  await store(await submit({ customer: 'acme', 'a,b.c': 'x' }), { at, tokens: 10, model: 'a' });
  await store(await submit({ customer: 'acme' }), { at, tokens: 20, model: 'b' });
  await store(await submit({ customer: 'zenith' }), { at, tokens: 400, model: 'a' });
  await store(await submit({}), { at, tokens: 8_000, model: 'a' });
  const read = async (query: string) => {
    const path = `/api/usage/?from=2026-06-01&to=2026-06-02&${query}`;
    const { body } = await ask(api.url, path);
    return UsagePageDto.create(body).data.map((sum) => [sum.metadata_value ?? sum.model, sum.total_tokens]);
  };
  const byCustomer = [
    ['acme', 30],
    ['zenith', 400],
  ];
  expect(await read('group_by=metadata.customer')).toEqual(byCustomer);
  expect(await read('group_by=day,metadata.customer')).toEqual(byCustomer);
  expect(await read(`group_by=${encodeURIComponent('metadata.a,b.c')}`)).toEqual([['x', 10]]);
  expect(await read('group_by=metadata.absent')).toEqual([]);
  expect(await read('group_by=metadata.tenant')).toEqual([]);
  expect(await read('group_by=model&metadata[customer]=acme')).toEqual([
    ['a', 10],
    ['b', 20],
  ]);
  expect(await read('group_by=metadata.customer&metadata[a,b.c]=x')).toEqual([['acme', 10]]);
});
