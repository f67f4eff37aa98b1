import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { at, DocumentsApi } from '../documents-api.js';
import { expectProblem } from '../expect-problem.js';
import type { Answer } from '../http-client.js';
import { namesOf, openStream, type SseConnection } from '../sse-client.js';

describe('the events of a document, with the queue in PostgreSQL', () => follows({}));
describeWithRedis('the events of a document, with the queue in Redis', ({ url }) =>
  follows({ REDIS_URL: url }),
);

function follows(settings: Readonly<Record<string, string>>): void {
  let documents: DocumentsApi;
  let made: Answer;
  beforeAll(async () => {
    documents = await DocumentsApi.open({ ...settings, EVENT_STREAMS_PER_KEY: '2' });
  });
  beforeEach(async () => {
    await documents.reset();
    made = await documents.giveText();
  });
  afterAll(() => documents.close());

  const follow = (seen?: string, key = documents.own): Promise<SseConnection> =>
    openStream(documents.api.url, `${at(made)}events/`, {
      authorization: `Bearer ${key}`,
      ...(seen !== undefined && { 'last-event-id': seen }),
    });
  /** Changes the ingestion of the document, in place of a worker. */
  const come = (assignments: string) =>
    documents.api.dataSource.query(`UPDATE document_ingestion SET ${assignments} WHERE document_id = $1`, [
      made.body.id,
    ]);

  it('are how it stands, each change, and the end', async () => {
    const stream = await follow();
    expect([stream.status, stream.retry()]).toEqual([200, undefined]);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    const [first] = await stream.take(1);
    expect([first?.id, JSON.parse(first?.data ?? '')]).toEqual(['1-0-0-', made.body]);
    expect(stream.retry()).toBe(1_000);

    for (const chunks of [200, 400]) {
      await come(`state = 'chunking', chunk_count = ${chunks}`);
      const [changed] = await stream.take(1);
      const progress = { done: chunks, total: null };
      expect(JSON.parse(changed?.data ?? '')).toMatchObject({ state: 'chunking', progress });
    }

    await come(
      `state = 'embedding', progress_done = 64, progress_total = 128, error_code = 'EMBEDDING_FAILED',
       error_text = 'It is busy.', tries = 2, due_at = '2026-05-01T12:00:02.5+02:00'`,
    );
    const [busy] = await stream.take(1);
    const last_error = { code: 'EMBEDDING_FAILED', text: 'It is busy.', tries: 2 };
    expect(busy?.id).toBe(`1-4-64-128-${Date.parse('2026-05-01T10:00:02.500Z')}`);
    expect(JSON.parse(busy?.data ?? '')).toMatchObject({
      ...{ state: 'embedding', error_code: null, error_text: null },
      last_error: { ...last_error, next_try_at: '2026-05-01T10:00:02.500Z' },
    });

    await come(`error_code = NULL, error_text = NULL, tries = 0`);
    const [second] = await stream.take(1);
    expect(JSON.parse(second?.data ?? '')).toMatchObject({
      state: 'embedding',
      progress: { done: 64, total: 128 },
      last_error: null,
    });
    await come(`state = 'failed', error_code = 'DOCUMENT_DAMAGED', error_text = 'It is damaged.'`);
    const rest = await stream.rest();
    expect(namesOf(rest)).toEqual(['1-7-64-128 state', '1-7-64-128-end end']);
    expect(JSON.parse(rest[0]?.data ?? '')).toMatchObject({
      error_code: 'DOCUMENT_DAMAGED',
      error_text: 'It is damaged.',
      last_error: null,
    });
    expect(rest[1]?.data).toBe('{"reason":"failed"}');
  });

  it('go on after the last one that was seen, until there is nothing after it', async () => {
    await come(`state = 'ready', progress_done = 2, progress_total = 2`);
    expect(namesOf(await (await follow()).rest())).toEqual(['1-6-2-2 state', '1-6-2-2-end end']);
    expect(namesOf(await (await follow('1-6-2-2')).rest())).toEqual(['1-6-2-2-end end']);
    expect((await follow('1-6-2-2-end')).status).toBe(204);
    await documents.send(`${at(made)}content/`, { method: 'PUT', json: { text: 'anew' } });
    const anew = await follow('1-6-2-2-end');
    expect(namesOf(await anew.take(1))).toEqual(['2-0-0- state']);
    anew.leave();
  });

  it('end where it is deleted', async () => {
    const stream = await follow();
    await stream.take(1);
    await documents.send(at(made), { method: 'DELETE' });
    expect((await stream.rest()).map(({ data }) => data)).toEqual(['{"reason":"deleted"}']);
    expect((await follow()).status).toBe(404);
    expect((await follow('deleted')).status).toBe(404);
  });

  it('are refused to others, in too many streams, and after what was never an event', async () => {
    expect((await follow(undefined, documents.stranger)).status).toBe(404);
    const path = `${at(made)}events/`;
    expectProblem(await documents.send(path, { headers: { 'last-event-id': 'x' } }), {
      ...{ status: 400, code: 'VALIDATION_ERROR', places: ['header Last-Event-ID'] },
      detail: 'Last-Event-ID: must be the id of an event of this document',
    });
    const open = [await follow(), await follow(), await follow()];
    expect(open.map(({ status }) => status)).toEqual([200, 200, 429]);
    const many = await documents.send(path);
    const detail = 'the API key has 2 event streams open at this process, the maximum; try again later';
    expectProblem(many, { status: 429, code: 'STREAM_LIMIT', detail });
    for (const stream of open) stream.leave();
  });
}
