import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { scriptModel } from '../../support/services/script-model.js';
import { waitFor } from '../../support/services/wait-for.js';

describe('the title of a session, with the queue in PostgreSQL', () => {
  titled('postgres');
});
describeWithRedis('the title of a session, with the queue in Redis', () => {
  titled('redis');
});

function titled(backend: QueueBackend): void {
  let deployment: Deployment;
  let api: ApiClient;

  beforeAll(async () => {
    deployment = await Deployment.open(backend, { TITLES: 'model' });
    const database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    await database.end();
    api = new ApiClient((await deployment.startApi()).url);
  });
  afterAll(() => deployment.close());

  it('follows the result, and comes from another worker when the first is killed in the middle of it', async () => {
    const victim = await deployment.startWorker();
    const hangs = { faults: [{ on: { first: 1 }, fault: { kind: 'hang_before_headers' } }], text: 'never' };
    await scriptModel(deployment, 'Tomatoes', { text: 'Of course.' }, hangs, { text: 'Tomatoes for Friday' });
    const { id, session_uuid } = await api.submit({ input: 'Tomatoes, please' });
    await waitFor(() => isHangingOn(deployment), {
      description: 'the title to be asked for',
    });
    const untilResult = await api.settled(id);
    expect(untilResult.result?.message.content).toBe('Of course.');

    // The victim is killed first: on a slow machine it would retry while the other worker starts.
    await victim.kill();
    await deployment.startWorker();

    // The stream ends once the title was emitted.
    const events = (await api.events(id)).filter(({ event }) => event !== 'heartbeat');
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['result', 'title_generated']);
    expect(JSON.parse(events.at(-2)?.data ?? '{}')).toMatchObject({ id, title_pending: true });
    expect(JSON.parse(events.at(-1)?.data ?? '{}')).toEqual({ title: 'Tomatoes for Friday' });
    expect(await api.get(`/api/sessions/${session_uuid}/`)).toMatchObject({ title: 'Tomatoes for Friday' });
    expect(await api.events(id, events.at(-1)?.id ?? null)).toEqual([]);
  });
}

/** True while the request for a title hangs at the model; the next request gets the next answer. */
async function isHangingOn({ simulatorUrl }: Deployment): Promise<boolean> {
  const response = await fetch(`${simulatorUrl}/__control/requests`);
  const { requests } = (await response.json()) as { requests: readonly { faults?: readonly string[] }[] };
  return requests.some(({ faults }) => faults?.includes('hang_before_headers') === true);
}
