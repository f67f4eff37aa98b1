import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetricsServer } from '../../../../apps/api/src/metrics/metrics-server.js';
import { readMetrics, type MetricSamples } from '../../../support/metrics/read-metrics.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, METRICS_PORT: '0' });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const metrics = (): Promise<MetricSamples> =>
  readMetrics(`http://127.0.0.1:${String(api.app.get(MetricsServer).port)}/metrics`);

function submit(body: object = { input: 'hello' }): Promise<Response> {
  return fetch(`${api.url}/api/agents/1/execute/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'request-7' },
    body: JSON.stringify(body),
  });
}

const REQUESTS = 'capstan_http_request_duration_seconds_count';

describe('the metrics of the API', () => {
  it('count answers by template of their route and status, and know no path', async () => {
    const { id } = (await (await submit()).json()) as { id: string };
    await fetch(`${api.url}/api/executions/${id}/`);
    await fetch(`${api.url}/api/executions/0190a000-0000-7000-8000-00000000dead/`);
    await fetch(`${api.url}/elsewhere/${id}`);
    await fetch(`${api.url}/api/executions/${id}/`, { method: 'DELETE' });
    const seen = await waitFor(
      async () => {
        const samples = await metrics();
        return samples.sum(REQUESTS) >= 5 ? samples : null;
      },
      { description: 'five answers to be counted' },
    );
    const count = (method: string, route: string, status: string): number =>
      seen.sum(REQUESTS, { method, route, status });
    expect(count('POST', '/api/agents/:id/execute', '202')).toBe(1);
    expect(count('GET', '/api/executions/:id', '200')).toBe(1);
    expect(count('GET', '/api/executions/:id', '404')).toBe(1);
    expect(count('GET', 'none', '404')).toBe(1);
    expect(count('DELETE', '/api/executions/:id', '405')).toBe(1);
    expect(seen.text).not.toContain(id);
    expect(seen.text).not.toContain('elsewhere');
  });

  it('count executions cancelled before they ran, also those that were interrupted', async () => {
    const cancelled = (samples: MetricSamples): number =>
      samples.sum('capstan_executions_settled_total', { status: 'cancelled' });
    const before = cancelled(await metrics());
    const first = (await (await submit()).json()) as { id: string; session_uuid: string };
    await fetch(`${api.url}/api/executions/${first.id}/cancel/`, { method: 'POST' });
    const { session_uuid } = (await (await submit()).json()) as { session_uuid: string };
    await submit({ input: 'rather this', session_uuid, on_conflict: 'interrupt' });
    expect(cancelled(await metrics()) - before).toBe(2);
  });

  it('are on no port of the clients', async () => {
    expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
  });
});

describe('the line of a request', () => {
  it('names the execution that it submitted, so that both can be joined', async () => {
    const { id } = (await (await submit()).json()) as { id: string };
    const line = await waitFor(() => api.log.find((text) => text.includes(id) && text.includes('answered')), {
      description: 'the line',
    });
    expect(JSON.parse(line)).toMatchObject({ executionId: id, req: { id: 'request-7' } });
  });
});
