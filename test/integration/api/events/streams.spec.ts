import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { v7 as uuid } from 'uuid';
import type { ExecutionEvent } from '#libs/payloads';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { ask } from '../http-client.js';
import { settle, settleAndTell } from '../settle.js';
import { namesOf, openStream } from '../sse-client.js';
import { WatchCounter } from '../watch-counter.js';

let database: TestDatabase;
let api: RunningApi;
let id: string;
let path: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

beforeEach(async () => {
  const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' } });
  id = String(body.id);
  path = `/api/executions/${id}/events/`;
});

const delta = (content: string): ExecutionEvent => ({ event: 'text_delta', data: { content, round: 1 } });
const running: ExecutionEvent = { event: 'status', data: { status: 'running', attempt: 1 } };

describe('a stream of events', () => {
  it('begins with the accepted execution and has the headers that keep it alive', async () => {
    const stream = await openStream(api.url, path);

    const [first] = await stream.take(1);

    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    expect(stream.retry()).toBe(1_000);
    expect(first).toEqual({ id: '1', event: 'status', data: '{"status":"queued","attempt":0}' });
    stream.leave();
  });

  it('reports events as they come, and ends after the result (S4-27)', async () => {
    const stream = await openStream(api.url, path);
    const early = await stream.take(1);
    await api.events.append(id, 2, [running, delta('Hel'), delta('lo')]);
    const middle = await stream.take(3);
    const view = await settleAndTell(api, id, 5, { content: 'Hello' });

    const late = await stream.rest();

    expect(namesOf([...early, ...middle, ...late])).toEqual([
      '1 status',
      '2 status',
      '3 text_delta',
      '4 text_delta',
      '5 result',
    ]);
    expect(JSON.parse(late[0]?.data ?? '')).toMatchObject({ ...view });
  });

  it('replays an execution that has ended, from its beginning', async () => {
    await api.events.append(id, 2, [running, delta('a')]);
    await settleAndTell(api, id, 4);

    const stream = await openStream(api.url, path);

    expect(namesOf(await stream.rest())).toEqual(['1 status', '2 status', '3 text_delta', '4 result']);
  });

  it('goes on after Last-Event-ID, which wins over the query', async () => {
    await api.events.append(id, 2, [running, delta('a')]);
    await settleAndTell(api, id, 4);

    const byHeader = await openStream(api.url, `${path}?after=1`, { 'last-event-id': '3' });
    const byQuery = await openStream(api.url, `${path}?after=2`);

    expect(namesOf(await byHeader.rest())).toEqual(['4 result']);
    expect(namesOf(await byQuery.rest())).toEqual(['3 text_delta', '4 result']);
  });

  it('loses and doubles nothing when it is cut between any two events', async () => {
    await api.events.append(id, 2, [
      running,
      ...Array.from({ length: 20 }, (_unused, index) => delta(`${index}`)),
    ]);
    await settleAndTell(api, id, 23);
    const seen: string[] = [];

    for (let last = '0'; last !== '23';) {
      const stream = await openStream(api.url, path, { 'last-event-id': last });
      const messages = await stream.take(1);
      seen.push(...namesOf(messages));
      last = messages.at(-1)?.id ?? last;
      stream.leave();
    }

    const deltas = Array.from({ length: 20 }, (_unused, index) => `${index + 3} text_delta`);
    expect(seen).toEqual(['1 status', '2 status', ...deltas, '23 result']);
  });

  it('is over with 204 for a client that has seen the result', async () => {
    await settleAndTell(api, id, 2);

    const seen = await ask(api.url, path, { headers: { 'last-event-id': '2' } });

    expect([seen.status, seen.text]).toEqual([204, '']);
  });
});

describe('a settled execution whose stream', () => {
  it('was lost still reports its result, as event 2', async () => {
    const view = await settle(api.dataSource, id, { secondsAgo: 60 });

    const stream = await openStream(api.url, path);

    const messages = await stream.rest();
    expect(namesOf(messages)).toEqual(['1 status', '2 result']);
    expect(JSON.parse(messages[1]?.data ?? '')).toMatchObject({ ...view });
    expect(namesOf(await (await openStream(api.url, path, { 'last-event-id': '1' })).rest())).toEqual([
      '2 result',
    ]);
    // Event 2 may have been the result or a lost event, so the result is sent again.
    expect(namesOf(await (await openStream(api.url, path, { 'last-event-id': '2' })).rest())).toEqual([
      '2147483647 result',
    ]);
  });

  it('was lost and began anew reports its result, under the last number, to a client that is beyond it', async () => {
    await api.events.append(id, 2, [running, delta('of the second attempt')]);
    await settleAndTell(api, id, 4);

    const stream = await openStream(api.url, path, { 'last-event-id': '14' });

    const messages = await stream.rest();
    expect(namesOf(messages)).toEqual(['2147483647 result']);
    const last = messages.at(-1)?.id ?? '';
    expect((await ask(api.url, path, { headers: { 'last-event-id': last } })).status).toBe(204);
  });

  it('was lost and began anew reports its result also to a client that has seen another event under its number', async () => {
    await api.events.append(id, 2, [running]);
    await settleAndTell(api, id, 3, { attempt: 2 });

    const stream = await openStream(api.url, path, { 'last-event-id': '3' });

    expect(namesOf(await stream.rest())).toEqual(['4 result']);
  });

  it('was lost while a client followed it does not go back to lower numbers', async () => {
    await api.events.append(id, 2, [running, ...Array.from({ length: 12 }, () => delta('x'))]);
    const stream = await openStream(api.url, path);
    const seen = await stream.take(14);
    expect(seen.at(-1)?.id).toBe('14');

    await api.dataSource.query('TRUNCATE execution_event');
    await settleAndTell(api, id, 2);

    expect(namesOf(await stream.rest())).toEqual(['2147483647 result']);
  });

  it('ends before the result reports it with the next number', async () => {
    await api.events.append(id, 2, [running, delta('half')]);
    await settle(api.dataSource, id, { status: 'failed', error: { code: 'WORKER_LOST', message: 'lost' } });

    const stream = await openStream(api.url, path, { 'last-event-id': '2' });

    expect(namesOf(await stream.rest())).toEqual(['3 text_delta', '4 result']);
  });
});

describe('two APIs on one database', () => {
  it('go on with each other’s clients', async () => {
    const other = await startApi({ DATABASE_URL: database.url });
    const first = await openStream(api.url, path);
    await api.events.append(id, 2, [running, delta('a')]);
    const seen = await first.take(2);
    first.leave();

    const second = await openStream(other.url, path, { 'last-event-id': seen.at(-1)?.id ?? '' });
    await settleAndTell(api, id, 4);

    expect(namesOf([...seen, ...(await second.rest())])).toEqual([
      '1 status',
      '2 status',
      '3 text_delta',
      '4 result',
    ]);
    await other.app.close();
  });

  it('hand their clients over when one of them stops', async () => {
    const other = await startApi({ DATABASE_URL: database.url });
    const stream = await openStream(other.url, path);
    await stream.take(1);

    await other.app.close();

    expect(await stream.rest()).toEqual([]);
    await settleAndTell(api, id, 2);
    const resumed = await openStream(api.url, path, { 'last-event-id': '1' });
    expect(namesOf(await resumed.rest())).toEqual(['2 result']);
  });
});

describe('a client', () => {
  it('is no longer watched for after it left', async () => {
    const watches = new WatchCounter(api.events);
    const stream = await openStream(api.url, path);
    await stream.take(1);
    await waitFor(() => watches.open === 1, { description: 'the watch to open' });

    stream.leave();

    await waitFor(() => watches.open === 0, { description: 'the watch to close' });
    watches.stop();
  });

  it('slows the reading of events down when it reads slowly, without more memory in the server', async () => {
    // One batch of reading (200 events) of 100 kB each exceeds the socket buffers.
    const large = delta('x'.repeat(100_000));
    for (let from = 2; from < 202; from += 50)
      await api.events.append(
        id,
        from,
        Array.from({ length: 50 }, () => large),
      );
    let reads = 0;
    const readAfter = api.events.readAfter.bind(api.events);
    api.events.readAfter = (...request) => ((reads += 1), readAfter(...request));
    const stream = await openStream(api.url, path);
    const begun = await stream.take(2);
    await settleAndTell(api, id, 202);
    const readsWhileClientWaits = reads;

    const all = [...begun, ...(await stream.rest())];

    expect(readsWhileClientWaits).toBe(1);
    expect(all.length).toBe(202);
    expect(reads).toBeGreaterThan(1);
    api.events.readAfter = readAfter;
  });
});

it('nothing is streamed of an execution that does not exist', async () => {
  expect((await ask(api.url, `/api/executions/${uuid()}/events/`)).status).toBe(404);
});

it('HEAD answers the headers and follows nothing', async () => {
  const answer = await ask(api.url, path, { method: 'HEAD' });

  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
});
