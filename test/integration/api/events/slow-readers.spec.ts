import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import type { ExecutionEvent } from '#libs/payloads';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';
import { settleAndTell } from '../settle.js';
import { namesOf, openStream } from '../sse-client.js';
import { WatchCounter } from '../watch-counter.js';

/** Number of events of 100 kB each, more than the socket buffers of client and server hold. */
const LARGE = 200;
const LAST_ID = LARGE + 2;
const delta = (): ExecutionEvent => ({
  event: 'text_delta',
  data: { content: 'x'.repeat(100_000), round: 1 },
});

describe('events in PostgreSQL: a client', () => {
  slowReaders({});
});
describeWithRedis('events in Redis: a client', ({ url }) => {
  slowReaders({ REDIS_URL: url });
});

function slowReaders(env: Readonly<Record<string, string>>): void {
  let database: TestDatabase;
  let api: RunningApi;
  let id: string;
  let path: string;

  beforeAll(async () => {
    database = await createSeededDatabase();
    const limits = { EVENT_STALL_SECONDS: '1', EVENT_STREAMS_MAX: '1' };
    api = await startApi({ DATABASE_URL: database.url, ...env, ...limits });
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

  /** Opens a connection that requests the events and never reads. */
  function askAndReadNothing(): Socket {
    const { hostname, port } = new URL(api.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return socket;
  }

  it('is disconnected and forgotten when it stops reading, and resumes without a gap (I12)', async () => {
    for (let from = 2; from < LAST_ID; from += 50)
      await api.events.append(id, from, Array.from({ length: 50 }, delta));
    await settleAndTell(api, id, LAST_ID);
    const watches = new WatchCounter(api.events);

    const accepted = nextConnection(api);
    const socket = askAndReadNothing();
    const served = await accepted;
    await waitFor(() => watches.open === 1, { description: 'the events to be followed' });
    // Waits for the socket first: between the two consecutive watches of a begun execution, `watches.open` is 0.
    await waitFor(() => served.destroyed, { description: 'the server to give up the connection' });
    await waitFor(() => watches.open === 0, { description: 'the events to be followed no longer' });
    watches.stop();

    const seen = idsIn(await text(socket));
    expect(seen.length).toBeLessThan(LAST_ID);
    const rest = await openStream(api.url, path, { 'last-event-id': String(seen.at(-1) ?? 0) });
    const resumed = (await rest.rest()).map((message) => Number(message.id));
    expect([...seen, ...resumed]).toEqual(Array.from({ length: LAST_ID }, (_unused, index) => index + 1));
  });

  it('gets every event around a file of 5 MiB, live and again', async () => {
    const data = Buffer.alloc(5 * 2 ** 20, 'file').toString('base64');
    const file: ExecutionEvent = { event: 'file', data: { type: 'blob', round: 1, name: 'a.bin', data } };
    const live = await openStream(api.url, path);
    const begun = await live.take(1);
    const isThere = async (): Promise<boolean> => (await api.events.lastId(id)) === 4;
    // On a busy machine an answer may come too late: then the stream says whether the events are there.
    const append = async (): Promise<boolean> =>
      (await isThere()) || api.events.append(id, 2, [delta(), file, delta()]).then(() => true, isThere);
    await waitFor(append, { description: 'the file to be appended' });
    await settleAndTell(api, id, 5);
    const seen = [...begun, ...(await live.rest())];
    expect(namesOf(seen)).toEqual(['1 status', '2 text_delta', '3 file', '4 text_delta', '5 result']);
    expect(seen[2]?.data.includes(data)).toBe(true);
    const again = await openStream(api.url, path, { 'last-event-id': '2' });
    expect(isDeepStrictEqual(await again.rest(), seen.slice(2))).toBe(true);
  });

  it('beyond those that one process serves is asked to come back, and gets the place of one that has gone', async () => {
    const first = await openStream(api.url, path);
    await first.take(1);

    const refused = await ask(api.url, path);

    const detail =
      'this process has reached its maximum of event streams; try again later, or read the execution';
    expectProblem(refused, { status: 503, code: 'TOO_MANY_STREAMS', detail });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.headers.has('cache-control')).toBe(false);
    first.leave();
    await waitFor(
      async () => {
        const next = await openStream(api.url, path);
        next.leave();
        return next.status === 200;
      },
      { description: 'the place to be free' },
    );
  });
}

/** The server's end of the next connection. */
async function nextConnection({ app }: RunningApi): Promise<Socket> {
  const server = app.getHttpServer() as Server;
  const [served] = (await once(server, 'connection')) as [Socket];
  return served;
}

/** Ids of the events that arrived completely. */
function idsIn(answer: string): number[] {
  const ids: number[] = [];
  const parser = createParser({ onEvent: (message) => ids.push(Number(message.id)) });
  parser.feed(withoutChunks(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
  return ids;
}

/** Decodes `Transfer-Encoding: chunked`; the body is ASCII, so characters count as bytes. */
function withoutChunks(body: string): string {
  let content = '';
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at);
    if (lineEnd === -1) break;
    const size = Number.parseInt(body.slice(at, lineEnd), 16);
    content += body.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
  return content;
}
