import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask, type Answer } from '../http-client.js';

const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY: KEY });
});
beforeEach(() => api.dataSource.query('DELETE FROM tool_server'));
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const make = (json: object): Promise<Answer> => ask(api.url, '/api/mcp-servers/', { json });
const patch = ({ body }: Answer, json: object): Promise<Answer> =>
  ask(api.url, `/api/mcp-servers/${String(body.id)}/`, { method: 'PATCH', json });

describe('a description in YAML', () => {
  const YAML = 'openapi: 3.1.0\npaths: {/a: {get: {}}}';
  const JSON_OF_IT = '{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}';
  const service = (document: string, Authorization: string | null = 'Bearer sk-canary') => ({
    name: 'crm',
    type: 'openapi',
    config: { document, headers_template: { Authorization } },
  });
  const stored = async (): Promise<unknown> => {
    const [row] = await api.dataSource.query<{ config: object; literals_sealed: string | null }[]>(
      'SELECT config, literals_sealed FROM tool_server',
    );
    return [row?.config, row?.literals_sealed !== null];
  };
  const written = [{ document: JSON_OF_IT, headers_template: { Authorization: null } }, true];

  it('is stored as JSON, and is the same description when it is given anew', async () => {
    const made = await make(service(YAML));
    expect(made).toMatchObject({ status: 201, body: { config: { document: JSON_OF_IT } } });
    expect((await patch(made, { config: service(YAML, null).config })).status).toBe(200);
    expect((await patch(made, { config: service(JSON_OF_IT, null).config })).status).toBe(200);
    expect(await stored()).toMatchObject(written);
    const other = service(YAML.replace('/a', '/b'), null).config;
    expect((await patch(made, { config: other })).body.errors).toMatchObject([
      { pointer: '#/config/headers_template/Authorization' },
    ]);
  });

  it('with a stored text may be sent again as it was', async () => {
    const made = await make(service(YAML));
    await api.dataSource.query('UPDATE tool_server SET config = $1', [
      { document: YAML, headers_template: { Authorization: null } },
    ]);
    expect((await patch(made, { config: service(YAML, null).config })).status).toBe(200);
    expect(await stored()).toMatchObject(written);
  });

  it('says where it is broken', async () => {
    const { status, body } = await make(service('openapi: 3.1.0\n\tpaths: {}'));
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { pointer: '#/config/document', detail: expect.stringContaining('the parser stopped in line 2: ') },
    ]);
  });
});
