import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExecutionEvent as OwnEvent } from '#libs/payloads';
import { Capstan, type ExecutionEvent } from '../../../packages/capstan/src/client/index.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { RUNS_ALL } from '../../support/selection.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api/api-fixture.js';
import { park, settle, settleAndTell } from '../api/settle.js';
import { HONEST, LyingProxy, type Lie } from './lying-proxy.js';

const SUBMITS = RUNS_ALL ? 1_000 : 100;
const AT_ONCE = 20;

let database: TestDatabase;
let folder: string;
let api: RunningApi;
let proxy: LyingProxy;
let capstan: Capstan;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-client-'));
  database = await createSeededDatabase();
  api = await start();
  proxy = await LyingProxy.before(api.url);
  capstan = new Capstan({ baseUrl: proxy.url, apiKey: null, maxRetries: 8 });
});
afterEach(() => {
  proxy.lie = () => HONEST;
});
afterAll(async () => {
  await proxy.close();
  await api.app.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const start = (): Promise<RunningApi> => startApi({ DATABASE_URL: database.url, DOCUMENTS_ROOT: folder });
const submit = async (): Promise<string> => (await capstan.executions.submit(1, { input: 'x' })).id;
const delta = (content: string): OwnEvent => ({ event: 'text_delta', data: { content, round: 1 } });

async function countExecutions(): Promise<number> {
  const [row] = await api.dataSource.query<[{ count: string }]>('SELECT count(*) FROM execution');
  return Number(row.count);
}

/** Reads all events; `onEvent` goes on once it has dealt with one. */
async function followed(
  id: string,
  onEvent: (event: ExecutionEvent, seen: number) => unknown = () => undefined,
) {
  const events: ExecutionEvent[] = [];
  for await (const event of capstan.executions.follow(id)) {
    events.push(event);
    await onEvent(event, events.length);
  }
  return events;
}

const textOf = (events: readonly ExecutionEvent[]): string =>
  events.map((event) => (event.event === 'text_delta' ? event.data.content : '')).join('');

describe('a client behind a proxy that lies', () => {
  /** Fates of the tries of one call; the tries after them are honest. */
  const FATES: readonly (readonly Lie['kind'][])[] = [
    ['drop-answer'],
    ['half-answer', 'drop-answer'],
    ['send-twice'],
    ['lose-request', 'half-answer'],
    ['send-twice', 'drop-answer'],
    [],
  ];

  it(`makes ${SUBMITS} executions with ${SUBMITS} submits`, async () => {
    const before = await countExecutions();
    const fates = new Map<string, Lie['kind'][]>();
    proxy.lie = (_call, key) => {
      const fate = fates.get(key) ?? [...(FATES[fates.size % FATES.length] ?? [])];
      fates.set(key, fate);
      return { kind: fate.shift() ?? 'honest' } as Lie;
    };
    const ids = new Set<string>();
    let left = SUBMITS;
    const one = async (): Promise<void> => {
      while ((left -= 1) >= 0) ids.add(await submit());
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    expect(ids.size).toBe(SUBMITS);
    expect((await countExecutions()) - before).toBe(SUBMITS);
    expect(proxy.calls.length).toBeGreaterThan(SUBMITS * 1.5);
  });

  it('makes one agent where each answer is lost once', async () => {
    const lies: Lie[] = [{ kind: 'drop-answer' }, { kind: 'half-answer' }];
    proxy.lie = () => lies.shift() ?? HONEST;
    const answer = await capstan.agents
      .create({ name: 'only', usecase_type: 'BASIC_CHAT', llm: 1 })
      .withResponse();
    expect(answer.isReplayed).toBe(true);
    const names: string[] = [];
    for await (const { name } of capstan.agents.list()) names.push(name);
    expect(names.filter((name) => name === 'only')).toHaveLength(1);
  });

  it('goes on after a refusal for a while', async () => {
    const refusals: Lie[] = [
      { kind: 'refuse', status: 429, headers: { 'retry-after': '1' } },
      { kind: 'refuse', status: 503, headers: {} },
    ];
    proxy.lie = () => refusals.shift() ?? HONEST;
    await expect(capstan.health.getLiveness()).resolves.toEqual({ status: 'ok' });
    expect(refusals).toEqual([]);
  });

  it('reads every event once where streams are cut every few events', async () => {
    const id = await submit();
    await api.events.append(id, 2, 'It is done'.split('').map(delta));
    await settleAndTell(api, id, 12, { content: 'It is done' });
    proxy.lie = (call) => (call.includes('/events/') ? { kind: 'cut-events', after: 3 } : HONEST);
    const events = await followed(id);
    expect(textOf(events)).toBe('It is done');
    expect(events.map((event) => 'id' in event && event.id)).toEqual(
      Array.from({ length: 12 }, (_one, index) => String(index + 1)),
    );
    expect(proxy.calls.filter((call) => call.includes(`${id}/events/`)).length).toBeGreaterThan(3);
  });

  it('follows on over a restart of the server', async () => {
    const id = await submit();
    await api.events.append(id, 2, [delta('before '), delta('and ')]);
    const events = await followed(id, async (_event, seen) => {
      if (seen !== 3) return;
      await api.app.close();
      api = await start();
      proxy.target = api.url;
      await api.events.append(id, 4, [delta('after')]);
      await settleAndTell(api, id, 5);
    });
    expect(textOf(events)).toBe('before and after');
    expect(events.at(-1)).toMatchObject({ event: 'result', data: { status: 'completed' } });
  });
});

describe('a client of the API', () => {
  it('runs an agent up to its answer', async () => {
    const running = capstan.run(1, 'Please.', {
      onEvent: ({ event, ...rest }) => {
        if (event === 'status' && 'id' in rest && rest.id === '1') void end();
      },
    });
    const end = async (): Promise<void> => {
      const [last] = (await capstan.executions.list({ limit: 1 })).data;
      await settleAndTell(api, last?.id ?? '', 2, { content: 'Here you are.' });
    };
    await expect(running).resolves.toMatchObject({ status: 'completed', output: 'Here you are.' });
  });

  it('waits where a person is needed, and decides', async () => {
    const id = await submit();
    await park(api.dataSource, id);
    await api.events.append(id, 2, [{ event: 'status', data: { status: 'requires_action', attempt: 1 } }]);
    const waiting = await capstan.executions.wait(id);
    expect(waiting).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ call: '1.0' }] },
    });
    const decided = await capstan.executions.approve(id, { person: 'anna', reason: 'fine' });
    expect(decided.status).not.toBe('requires_action');
  });

  it('says which field is wrong, with the id of the request', async () => {
    const asked = capstan.executions.submit(1, { input: '' });
    await expect(Promise.resolve(asked)).rejects.toMatchObject({
      name: 'InvalidRequestError',
      status: 400,
      code: 'VALIDATION_ERROR',
      requestId: expect.stringMatching(/./),
      errors: [expect.objectContaining({ pointer: '#/input' })],
    });
  });

  it('uploads a file in pieces, and reads it back', async () => {
    const bytes = new Uint8Array(200_000).fill(65);
    let sent = 0;
    const onProgress = ({ sentBytes }: { readonly sentBytes: number }): void => void (sent = sentBytes);
    const direct = new Capstan({ baseUrl: api.url, apiKey: null });
    const { id } = await direct.files.upload({ file: new File([bytes], 'a.txt') }, { onProgress });
    expect(sent).toBeGreaterThan(200_000);
    const copy = await direct.files.download(id);
    expect(Buffer.compare(Buffer.from(await copy.arrayBuffer()), Buffer.from(bytes))).toBe(0);
  });

  it('follows with a stream token in place of a key', async () => {
    const id = await submit();
    await settle(api.dataSource, id);
    const { token } = await capstan.executions.createStreamToken(id);
    const streamToken = token ?? 'none';
    const events: string[] = [];
    for await (const { event } of capstan.executions.follow(id, { streamToken })) events.push(event);
    expect(events.at(-1)).toBe('result');
  });
});
