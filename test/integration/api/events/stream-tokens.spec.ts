import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashApiKeySecret, parseApiKey } from '#libs/persistence';
import { formatStreamToken } from '../../../../apps/api/src/http/stream-token.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';
import { idOf, KeyWorld } from '../key-world.js';
import { openStream } from '../sse-client.js';

const NOT_VALID = {
  status: 401,
  code: 'UNAUTHENTICATED',
  detail: 'the stream token is not valid for this execution, or has expired; get another one',
};

let world: KeyWorld;
let id: string;

beforeAll(async () => {
  world = await KeyWorld.open();
});
beforeEach(async () => {
  await world.refresh();
  id = await submit();
});
afterAll(() => world.close());

async function submit(): Promise<string> {
  const { body } = await world.askAs(world.admin, '/api/agents/1/execute/', { json: { input: 'x' } });
  return String(body.id);
}

const make = (json: object = {}, as = world.admin, execution = id): Promise<Answer> =>
  world.askAs(as, `/api/executions/${execution}/stream-tokens/`, { json });
const events = (token: string, execution = id, more = ''): Promise<Answer> =>
  ask(world.api.url, `/api/executions/${execution}/events/?stream_token=${token}${more}`);
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

describe('a stream token', () => {
  it('opens the events of its execution at every process, without a key', async () => {
    const reader = await world.createKey(['executions:read']);
    const made = await make({ expires_in_seconds: 60 }, reader);

    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.body.url).toBe(`/api/executions/${id}/events/?stream_token=${String(made.body.token)}`);
    const rest = Date.parse(String(made.body.expires_at)) / 1_000 - inSeconds(0);
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThanOrEqual(60);
    const streams = await Promise.all(
      [world.api, world.other].map(({ url }) => openStream(url, String(made.body.url))),
    );
    for (const stream of streams) {
      expect(stream.status).toBe(200);
      expect(await stream.take(1)).toMatchObject([{ id: '1', event: 'status' }]);
      stream.leave();
    }
  });

  it('opens nothing else', async () => {
    const token = String((await make()).body.token);

    const other = await submit();
    // An opened stream never ends, so the response must not be read to its end.
    const stream = await openStream(world.api.url, `/api/executions/${other}/events/?stream_token=${token}`);
    stream.leave();
    expect(stream.status).toBe(401);
    expectProblem(await events(token, other), NOT_VALID);
    for (const path of [`/api/executions/${id}/`, '/api/agents/'])
      expect((await ask(world.api.url, `${path}?stream_token=${token}`)).status).toBe(401);
    for (const path of [`/api/executions/${id}/events/`, `/api/executions/${id}/stream-tokens/`])
      expect(
        (await world.askAs(token, path, { method: path.endsWith('s/') ? 'GET' : 'POST' })).status,
      ).not.toBe(200);
  });

  it('ends in time, and with its key', async () => {
    const key = await world.createKey(['executions:read']);
    const hash = hashApiKeySecret(parseApiKey(key)?.secret ?? '');
    const past = formatStreamToken(idOf(key), hash, id, inSeconds(-1));
    expectProblem(await events(past), NOT_VALID);
    const token = String((await make({}, key)).body.token);
    const stream = await openStream(world.api.url, `/api/executions/${id}/events/?stream_token=${token}`);
    expect(stream.status).toBe(200);
    stream.leave();

    await world.act(idOf(key), 'revoke');

    expectProblem(await events(token), NOT_VALID);
  });

  it.each<[string, (token: string) => string]>([
    ['a later end', (token) => token.replace(/_(\d{10})_/, (_all, end: string) => `_${Number(end) + 60}_`)],
    ['another key', (token) => token.replace(/^cst_[0-9a-f]{16}/, 'cst_0123456789abcdef')],
    ['another signature', (token) => `${token.slice(0, -43)}${'A'.repeat(43)}`],
    ['half of it', (token) => token.slice(0, -1)],
    ['nothing', () => ''],
  ])('with %s is refused', async (_name, forge) => {
    expectProblem(await events(forge(String((await make()).body.token))), NOT_VALID);
  });

  it('is made with the scope that following needs, for an execution of the tenant', async () => {
    expect((await make({}, await world.createKey(['executions:write']))).status).toBe(403);
    expect((await make({}, await world.createKey(['executions:read'], 'acme'))).status).toBe(404);
    for (const expires_in_seconds of [9, 3_601, 60.5, '60'])
      expect((await make({ expires_in_seconds })).body).toMatchObject({
        status: 400,
        errors: [{ pointer: '#/expires_in_seconds' }],
      });
  });

  it('is in no log', async () => {
    const token = String((await make()).body.token);
    await events(token, await submit());

    expect(world.api.log.join('')).toContain('/events/');
    expect(world.api.log.join('')).not.toContain(token.slice(-43));
  });
});
