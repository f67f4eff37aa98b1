import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';
import { park, settle, settleAndTell } from '../settle.js';
import { WatchCounter } from '../watch-counter.js';

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

describe('a request about a known execution', () => {
  const submit = async (): Promise<string> => {
    const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' } });
    return String(body.id);
  };
  const read = (id: string, prefer: string) =>
    ask(api.url, `/api/executions/${id}/`, { headers: { prefer } });

  it('is answered when the execution has settled, with its whole result and its request', async () => {
    const id = await submit();
    const watches = new WatchCounter(api.events);
    const answer = read(id, 'wait=60');
    await waitFor(() => watches.open === 1, { description: 'the watch to open' });
    watches.stop();
    await settleAndTell(api, id, 2, { content: 'hello back' });

    const { status, headers, body } = await answer;

    expect([status, headers.get('preference-applied')]).toEqual([200, 'wait=60']);
    expect(body).toMatchObject({
      status: 'completed',
      input: 'x',
      result: { message: { content: 'hello back' } },
    });
  });

  it('is answered with 200 also where the execution fails or needs a person', async () => {
    const [failed, parked] = [await submit(), await submit()];
    const answers = [read(failed, 'wait=60'), read(parked, 'wait=60')];
    await settle(api.dataSource, failed, { status: 'failed', error: { code: 'SDK_ERROR', message: 'away' } });
    await park(api.dataSource, parked);

    expect(await Promise.all(answers)).toMatchObject([
      { status: 200, body: { status: 'failed', error: { code: 'SDK_ERROR' } } },
      { status: 200, body: { status: 'requires_action', required_action: { calls: [{ call: '1.0' }] } } },
    ]);
  });

  it('is answered at once without the preference, with one that is not valid, and of a settled execution', async () => {
    const id = await submit();
    for (const prefer of ['', 'wait=0', 'wait=x', 'respond-async']) {
      const { headers, body } = await read(id, prefer);
      expect([body.status, headers.get('preference-applied')]).toEqual(['queued', null]);
    }
    await settle(api.dataSource, id);
    expect((await read(id, 'wait=60')).body).toMatchObject({ status: 'completed' });
  });

  it('is answered as the execution is when the time is over', async () => {
    expect((await read(await submit(), 'wait=1')).body).toMatchObject({ status: 'queued' });
  });

  it('answers 404 at once where there is none', async () => {
    const { status, headers } = await read('01890a5d-ac96-774b-bcce-b302099a8057', 'wait=60');
    expect([status, headers.get('preference-applied')]).toEqual([404, null]);
  });

  it('waits after the decisions of a person, too', async () => {
    const id = await submit();
    await park(api.dataSource, id);
    const answer = ask(api.url, `/api/executions/${id}/approvals/`, {
      json: { decisions: [{ call: '1.0', approved: true }] },
      headers: { prefer: 'wait=60' },
    });
    await waitFor(async () => (await read(id, '')).body.status === 'queued' || null, {
      description: 'the decision',
    });
    await settleAndTell(api, id, 5, { content: 'charged' });

    expect(await answer).toMatchObject({ status: 200, body: { status: 'completed' } });
  });
});
