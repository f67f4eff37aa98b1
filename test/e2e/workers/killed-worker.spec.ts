import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { whenAllRun } from '../../support/selection.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';

const SEARCH = { name: 'search_items', arguments: { query: 'roma', limit: null } };

describe('a worker that is killed, with the queue in PostgreSQL', () => {
  killedWorker('postgres');
});
whenAllRun(() => {
  describeWithRedis('a worker that is killed, with the queue in Redis', () => {
    killedWorker('redis');
  });

  describe('a worker that is killed, with a model in Chat Completions', () => {
    killedWorker('postgres', 'openai_compatible', 'chat_completions');
  });
});

/** @param endpoint the simulator's endpoint for calls of this provider */
function killedWorker(backend: QueueBackend, provider = 'openai', endpoint = 'responses'): void {
  let deployment: Deployment;
  let api: ApiClient;
  let database: Client;

  beforeAll(async () => {
    deployment = await Deployment.open(backend);
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script', provider = $1`, [provider]);
    api = new ApiClient((await deployment.startApi()).url);
  });
  afterAll(async () => {
    await database.end();
    await deployment.close();
  });

  /** The number of calls that have reached the model. */
  async function modelCalls(): Promise<number> {
    const response = await fetch(`${deployment.simulatorUrl}/__control/requests`);
    const { requests } = (await response.json()) as { requests: { endpoint: string }[] };
    return requests.filter((request) => request.endpoint === endpoint).length;
  }

  it('loses nothing: another one goes on from the journal, and the conversation has each message once', async () => {
    const victim = await deployment.startWorker();
    // The model hangs once, so that the kill falls into its call even on a slow machine.
    const hangsOnce = { on: { first: 1 }, fault: { kind: 'hang_before_headers' } };
    const answer = { faults: [hangsOnce], text: 'here you are' };
    const first = await api.submit({ input: scripted({ calls: [SEARCH] }, answer) });
    const second = await api.submit({
      session_uuid: first.session_uuid,
      input: scripted({ text: 'second' }),
    });
    await waitFor(async () => (await modelCalls()) === 2, { description: 'the model to be asked again' });
    // Leases last 45 s, so the takeover follows from the dead process's lost database lock.
    const survivor = await deployment.startWorker();
    await victim.kill();

    const view = await api.settled(first.id, 30_000);
    expect(survivor.hasEnded).toBe(false);
    expect(view).toMatchObject({
      status: 'completed',
      attempt: 2,
      result: { message: { content: 'here you are' } },
    });
    expect(await api.settled(second.id)).toMatchObject({ status: 'completed', attempt: 1 });

    const steps = await api.get<{ data: { status: string; attempt: number }[] }>(
      `/api/executions/${first.id}/steps/`,
    );
    expect(steps.data).toMatchObject([{ status: 'succeeded' }]);
    const { data } = await api.get<{ data: { role: string; turn_number: number }[] }>(
      `/api/sessions/${first.session_uuid}/messages/`,
    );
    expect(data.map(({ role, turn_number }) => `${turn_number} ${role}`)).toEqual([
      '1 system',
      '1 user',
      '1 assistant',
      '2 user',
      '2 assistant',
    ]);
    const events = await api.events(first.id);
    expect(events.map((event) => Number(event.id))).toEqual(events.map((_, index) => index + 1));
    expect(events.filter((event) => event.event === 'attempt_restarted')).toHaveLength(1);
    expect(events.filter((event) => event.event === 'result')).toHaveLength(1);
    await survivor.kill();
  });

  it('is asked to stop while the model hangs, and requeues after its grace what it could not finish', async () => {
    const worker = await deployment.startWorker({ SHUTDOWN_GRACE_SECONDS: '2' });
    const before = await modelCalls();
    const { id } = await api.submit({
      input: scripted({ latency: { headers_ms: 60_000 }, text: 'too late' }),
    });
    await waitFor(async () => (await modelCalls()) > before, { description: 'the model to be asked' });
    expect(await worker.stop()).toBe(0);
    const { rows } = await database.query(
      `SELECT status, attempt, lost_attempts, lease_owner FROM execution WHERE id = $1`,
      [id],
    );
    expect(rows).toEqual([{ status: 'queued', attempt: 1, lost_attempts: 0, lease_owner: null }]);
  });
}
