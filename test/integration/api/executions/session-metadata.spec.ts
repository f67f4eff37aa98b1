import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { SessionDto, SessionPageDto } from '../../../../apps/api/src/sessions/sessions.dto.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';

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

async function submit(json: object = {}, headers: Record<string, string> = {}) {
  const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x', ...json }, headers });
  return z.object({ session_uuid: z.uuid() }).parse(body);
}

describe('sessions', () => {
  it('have metadata from their first execution on, are listed by them, and keep them until they are changed', async () => {
    const metadata = { customer: 'C-7', channel: 'web' };
    const { session_uuid: uuid } = await submit({ session_metadata: metadata });
    const { session_uuid: other } = await submit(
      { session_metadata: { customer: 'C-7' } },
      { 'idempotency-key': 'meta' },
    );
    await submit({ session_uuid: uuid, metadata: { customer: 'of the execution' } });
    const listed = async (query: string) => {
      const { body } = await ask(api.url, `/api/sessions/?${query}`);
      return SessionPageDto.create(body).data.map((session) => session.uuid);
    };
    const read = async () => SessionDto.create((await ask(api.url, `/api/sessions/${uuid}/`)).body);
    const patch = (json: object) => ask(api.url, `/api/sessions/${uuid}/`, { method: 'PATCH', json });

    expect((await read()).metadata).toEqual(metadata);
    expect(await listed('metadata[customer]=C-7')).toEqual([other, uuid]);
    expect(await listed('metadata[customer]=C-7&metadata[channel]=web')).toEqual([uuid]);
    expect(await listed('metadata[customer]=C-8')).toEqual([]);

    expect(await patch({ metadata: { customer: 'C-8' } })).toMatchObject({
      status: 200,
      body: { metadata: { customer: 'C-8' }, title: null },
    });
    expect((await patch({ title: 'Parcels' })).body).toMatchObject({
      metadata: { customer: 'C-8' },
      title: 'Parcels',
    });
    expect(await listed('metadata[customer]=C-8')).toEqual([uuid]);
    expect((await patch({ metadata: {} })).body).toMatchObject({ metadata: {}, title: 'Parcels' });
  });

  it('take metadata from the request that begins them only, which names the field at fault', async () => {
    const { session_uuid } = await submit();
    const refused = async (json: object) => {
      const { status, body } = await ask(api.url, '/api/agents/1/execute/', {
        json: { input: 'x', ...json },
      });
      return [status, body.errors];
    };
    expect(await refused({ session_uuid, session_metadata: {} })).toEqual([
      400,
      [{ pointer: '#/session_metadata', detail: expect.stringContaining('session_uuid') as unknown }],
    ]);
    expect(await refused({ session_metadata: { a: 'x'.repeat(513) } })).toEqual([
      400,
      [{ pointer: '#/session_metadata/a', detail: 'at most 512 characters per value' }],
    ]);
    const seventeen = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, '']));
    expect(await refused({ session_metadata: seventeen })).toEqual([
      400,
      [{ pointer: '#/session_metadata', detail: 'at most 16 keys' }],
    ]);
  });
});
