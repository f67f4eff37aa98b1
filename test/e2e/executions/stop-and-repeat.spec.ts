import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { ExecutionView } from '#libs/payloads';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';

describe('stopping and repeating an execution over HTTP', () => {
  let deployment: Deployment;
  let api: ApiClient;

  beforeAll(async () => {
    deployment = await Deployment.open('postgres');
    const database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    await database.end();
    const [{ url }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    api = new ApiClient(url);
  });
  afterAll(() => deployment.close());

  const act = (id: string, action: string) => api.post(`/api/executions/${id}/${action}/`, {});

  it('cancels a running one, which then frees its conversation', async () => {
    const running = await api.submit({
      input: scripted({ text: 'too late', latency: { headers_ms: 60_000 } }),
    });
    await waitFor(
      async () => (await api.get<ExecutionView>(`/api/executions/${running.id}/`)).status === 'running',
      {
        description: 'the execution to run',
      },
    );
    expect((await act(running.id, 'cancel')).status).toBe(200);
    expect(await api.settled(running.id)).toMatchObject({
      status: 'cancelled',
      error: { code: 'CANCELLED' },
    });
    expect((await api.events(running.id)).at(-1)?.event).toBe('result');
    const next = await api.submit({
      session_uuid: running.session_uuid,
      input: scripted({ text: 'on we go' }),
    });
    expect(await api.settled(next.id)).toMatchObject({ status: 'completed' });
    expect(await (await act(next.id, 'cancel')).json()).toMatchObject({ status: 'completed' });
  });

  it('repeats a settled one as the next turn, and refuses to repeat one that has not ended', async () => {
    const slowly = { text: 'again', latency: { headers_ms: 4_000 } };
    const first = await api.submit({ input: scripted(slowly), metadata: { ticket: '7' } });
    expect((await act(first.id, 'retry')).status).toBe(409);
    const settled = await api.settled(first.id);
    expect(await (await act(first.id, 'retry')).json()).toMatchObject({ code: 'ALREADY_COMPLETED' });
    const answer = await api.post(`/api/executions/${first.id}/retry/`, { even_if_completed: true });
    expect(answer.status).toBe(202);
    const repeated = (await answer.json()) as ExecutionView;
    expect(answer.headers.get('location')).toBe(`/api/executions/${repeated.id}/`);
    const view = await api.settled(repeated.id);
    expect(view).toMatchObject({
      status: 'completed',
      metadata: { ticket: '7' },
      session_uuid: settled.session_uuid,
    });
    expect(view.turn_number).toBeGreaterThan(settled.turn_number);
  });

  it('answers 409 to a client that does not want to wait in line, and waits for a conversation that is soon free (S4-3, S4-36)', async () => {
    const long = await api.submit({ input: scripted({ text: 'done', latency: { headers_ms: 60_000 } }) });
    const body = {
      session_uuid: long.session_uuid,
      on_conflict: 'reject',
      input: scripted({ text: 'me too' }),
    };
    const refused = await api.post('/api/agents/1/execute/', body);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'CONVERSATION_LOCKED' });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('x-should-retry')).toBe('false');
    const [patient] = await Promise.all([api.post('/api/agents/1/execute/', body), act(long.id, 'cancel')]);
    expect(patient.status).toBe(202);
  });

  it('interrupts what runs for a client that says so', async () => {
    const long = await api.submit({ input: scripted({ text: 'done', latency: { headers_ms: 60_000 } }) });
    const { session_uuid } = long;
    const urgent = await api.submit({
      session_uuid,
      on_conflict: 'interrupt',
      input: scripted({ text: 'urgent' }),
    });
    expect(await api.settled(urgent.id)).toMatchObject({
      status: 'completed',
      result: { message: { content: 'urgent' } },
    });
    expect(await api.settled(long.id)).toMatchObject({ status: 'cancelled' });
  });

  it('knows nothing of an execution that does not exist', async () => {
    const unknown = '0190a000-0000-7000-8000-000000000001';
    for (const action of ['cancel', 'retry']) expect((await act(unknown, action)).status).toBe(404);
    expect((await act('not-a-uuid', 'cancel')).status).toBe(400);
  });
});
