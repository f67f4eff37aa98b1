import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { dumpDatabase } from '../../support/services/everything-stored.js';
import { ServiceCopy } from '../../support/services/service-copy.js';
import { createTestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';

const DOMAINS = 'order-entry,parcels';
const SOURCES = join(import.meta.dirname, '../../fixtures/second-domain/src');

/** Automates docs/contributing/playbooks/domain.md. */
describe('a second domain, in one folder and one line', () => {
  let copy: ServiceCopy;
  let deployment: Deployment;
  let api: ApiClient;
  let databaseUrl: string;
  let agentId: number;

  beforeAll(async () => {
    copy = await ServiceCopy.make();
    await copy.addDomain('parcels', SOURCES, `export { parcels } from '#libs/parcels';`);
    await copy.build();
    const database = await createTestDatabase();
    databaseUrl = database.url;
    await copy.migrate({ DATABASE_URL: databaseUrl, DEFAULT_MODEL: 'sim-script', DOMAINS }, '--seed');
    deployment = await Deployment.on(database, 'postgres', { DOMAINS });
    const [started] = await Promise.all([
      deployment.startApi({}, copy.program('api')),
      deployment.startWorker({}, copy.program('worker')),
    ]);
    api = new ApiClient(started.url);
    const agents = await api.get<{ data: { id: number; name: string }[] }>('/api/agents/?limit=100');
    agentId = agents.data.find(({ name }) => name === 'parcelAgent')?.id ?? 0;
  }, 300_000);
  afterAll(async () => {
    await deployment.close();
    await copy.remove();
  });

  const execute = (body: object): Promise<Response> => api.post(`/api/agents/${agentId}/execute/`, body);
  async function run(body: object): Promise<ExecutionView> {
    const accepted = await execute(body);
    expect(accepted.status).toBe(202);
    return api.settled(((await accepted.json()) as ExecutionView).id);
  }
  const asking = (tool: string, input: object) =>
    scripted({ calls: [{ name: tool, arguments: input }] }, { text: 'Done.' });

  it('runs its tool, bakes its data, applies its change and answers by its route', async () => {
    const view = await run({
      input: asking('book_parcel', { destination: 'Osaka' }),
      additional_data: { counter: 'B7', floorPlan: 'a wall, a door' },
    });
    expect(view).toMatchObject({ status: 'completed' });
    const code = `P-${view.id}`;
    expect(view.result?.message.data).toEqual({ parcelCode: code });
    const parcel = { code, destination: 'Osaka', execution_id: view.id };
    expect(await api.get(`/api/parcels/${code}/`)).toEqual(parcel);
  });

  it('shows the model what was sent along, but not what the domain hides', async () => {
    const view = await run({
      input: scripted({ text: 'ok' }),
      additional_data: { counter: 'C9', floorPlan: 'xyz' },
    });
    const seen = await fetch(`${deployment.simulatorUrl}/__control/requests`).then((answer) => answer.text());
    expect(view).toMatchObject({ status: 'completed' });
    expect(seen).toContain('counter: C9');
    expect(seen).not.toContain('xyz');
  });

  it('refuses data that no domain declares, with a pointer, and keeps that of the other domain', async () => {
    const refused = await execute({ input: 'x', additional_data: { counter: 'B7', parcelCode: 'P-1' } });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ pointer: '#/additional_data/parcelCode', detail: expect.stringContaining('counter') }],
    });
    const both = await execute({
      input: scripted({ text: 'ok' }),
      additional_data: { counter: 'B7', customerAccountNumber: 4001 },
    });
    expect(both.status).toBe(202);
  });

  it('fails a tool that bakes what the domain does not declare', async () => {
    const view = await run({ input: asking('mislabel_parcel', {}) });
    expect(view.result?.message.data).toEqual({});
    const steps = await api.get<{ data: object[] }>(`/api/executions/${view.id}/steps/`);
    expect(steps.data).toMatchObject([
      { tool_name: 'mislabel_parcel', status: 'failed', error: expect.stringContaining('parcelLabel') },
    ]);
  });

  it('has routes like all others: document, checks of the request, problems, seeded rows', async () => {
    const document = await api.get<{ paths: Record<string, object>; components: { schemas: object } }>(
      '/openapi.json',
    );
    expect(document.paths['/api/parcels/{code}/']).toMatchObject({
      get: { operationId: 'getParcel', responses: { '200': {}, '400': {}, '404': {} } },
      patch: { operationId: 'redirectParcel', requestBody: {} },
    });
    expect(document.components.schemas).toMatchObject({
      Parcel: { required: ['code', 'destination', 'execution_id'] },
      ParcelRedirection: {},
      AdditionalData: { properties: { parcelCode: { type: 'string' }, counter: { maxLength: 20 } } },
    });
    const get = (path: string): Promise<Response> => fetch(`${api.url}/api/parcels/${path}/`);
    expect((await get('P-nowhere')).status).toBe(404);
    expect(await (await get('X')).json()).toMatchObject({
      status: 400,
      errors: [{ parameter: 'code', detail: 'must begin with P-' }],
    });
    const redirect = (body: object): Promise<Response> =>
      fetch(`${api.url}/api/parcels/P-example/?reason=moved`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(await (await redirect({})).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: '#/destination', detail: 'is required' }],
    });
    expect((await redirect({ destination: 'Nara' })).status).toBe(200);
    expect(await (await get('P-example')).json()).toMatchObject({ destination: 'Nara' });
  });

  it('has tasks that are tried until they are done, with a secret that the database has sealed', async () => {
    const seal = (kind: string): Promise<Response> =>
      api.post('/api/parcels/P-example/seal/', { seal: kind });
    expect(await (await seal('wax')).json()).toMatchObject({
      ...{ status: 400, code: 'VALIDATION_ERROR' },
      errors: [{ pointer: '#/seal', detail: 'must not be of wax' }],
    });
    expect((await seal('a-canary-of-lead')).status).toBe(202);
    const destinations = new Set<string>();
    await waitFor(
      async () => {
        const { destination } = await api.get<{ destination: string }>('/api/parcels/P-example/');
        destinations.add(destination);
        return destination === 'sealed by a-canary-of-lead';
      },
      { description: 'the parcel to be sealed' },
    );
    expect(destinations).toContain('not sealed by try 1');
    await fetch(`${api.url}/api/parcels/P-example/`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ destination: 'Nara' }),
    });
    expect(await dumpDatabase(databaseUrl)).not.toContain('a-canary-of-lead');
  });

  it('keeps its tables and its entities in agreement, and seeds again without harm', async () => {
    const env = { DATABASE_URL: databaseUrl, DEFAULT_MODEL: 'sim-script', DOMAINS };
    expect(await copy.migrate(env, '--check')).toContain('migrations and entities agree');
    await copy.migrate(env, '--seed');
    expect(await api.get('/api/parcels/P-example/')).toMatchObject({ destination: 'Nara' });
  });
});
