import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ExecutionStore, SessionTitleStore } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';
import { settle } from '../settle.js';

const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';
const NOT_FOUND = { status: 404, code: 'NOT_FOUND', detail: 'Session not found' };

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

const submittedSchema = z.object({ id: z.uuid(), session_uuid: z.uuid() });

async function submit() {
  const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' } });
  return submittedSchema.parse(body);
}

describe('the title of a session', () => {
  const rename = (uuid: string, json: object) =>
    ask(api.url, `/api/sessions/${uuid}/`, { method: 'PATCH', json });

  it('is what a person calls it, without the spaces around it, and nothing else of it changes', async () => {
    const { session_uuid } = await submit();
    const { body } = await ask(api.url, `/api/sessions/${session_uuid}/`);

    const renamed = await rename(session_uuid, { title: '  The late parcel ' });

    expect(renamed).toMatchObject({ status: 200, body: { ...body, title: 'The late parcel' } });
    expect((await ask(api.url, `/api/sessions/${session_uuid}/`)).body).toEqual(renamed.body);
    expect(await rename(session_uuid, { title: 'x'.repeat(200) })).toMatchObject({ status: 200 });
  });

  it('by a person ends the order for a generated one, and a model cannot replace it (S4-41)', async () => {
    const { id, session_uuid } = await submit();
    await settle(api.dataSource, id);
    await api.dataSource.query(
      `INSERT INTO session_title (session_id, execution_id, tenant_id) VALUES ($1, $2, 'default')`,
      [session_uuid, id],
    );
    const titles = new SessionTitleStore(api.dataSource);
    const claimed = await titles.claim(id, 60_000, null);
    if (claimed === null) throw new Error('the order was not claimed');

    expect((await rename(session_uuid, { title: 'Mine' })).body).toMatchObject({
      title: 'Mine',
      title_pending: false,
    });

    expect(await titles.finish(claimed, 'By a model', [])).toBe(false);
    expect(await titles.claim(id, 60_000, { ...claimed, isModelAway: false })).toBeNull();
    expect((await ask(api.url, `/api/sessions/${session_uuid}/`)).body).toMatchObject({ title: 'Mine' });
    // A follower of the execution reads this as the title that it waits for.
    expect(await new ExecutionStore(api.dataSource).findEnding('default', id)).toMatchObject({
      title: 'Mine',
    });
  });

  it.each([
    [{}, 'title'],
    [{ metadata: { a: 1 } }, 'metadata/a'],
    [{ metadata: { ['x'.repeat(65)]: '' } }, 'metadata'],
    [{ title: ' ' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ title: null }, 'title'],
    [{ title: 'x', is_archived: true }, 'is_archived'],
  ])('is refused as %j', async (json, field) => {
    const { session_uuid } = await submit();

    const { status, body } = await rename(session_uuid, json);

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: expect.stringContaining(`#/${field}`) as unknown }]);
    expect((await ask(api.url, `/api/sessions/${session_uuid}/`)).body).toMatchObject({ title: null });
  });

  it('belonging to another tenant is not found, and stays', async () => {
    const { session_uuid } = await submit();
    await api.dataSource.query(`UPDATE chat_session SET tenant_id = 'another' WHERE id = $1`, [session_uuid]);

    for (const uuid of [session_uuid, UNKNOWN]) expectProblem(await rename(uuid, { title: 'x' }), NOT_FOUND);
    const stored: unknown = await api.dataSource.query(`SELECT title FROM chat_session WHERE id = $1`, [
      session_uuid,
    ]);
    expect(stored).toEqual([{ title: null }]);
  });
});
