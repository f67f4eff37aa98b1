import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';

const SKILLS = '/api/skills/';
const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const REUSED = {
  ...{ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' },
  detail: 'this Idempotency-Key was used with another request in the last 24 hours',
};
const UNDER_WAY = {
  ...{ status: 409, code: 'IDEMPOTENCY_KEY_UNDER_WAY' },
  detail: 'the same request with this Idempotency-Key is in progress; repeat it to get its answer',
};

let database: TestDatabase;
/** An API with an encryption key, which seals kept answers; `open` has no key. */
let api: RunningApi;
let open: RunningApi;
let own: string;
let colleague: string;
let stranger: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  const env = { DATABASE_URL: database.url, AUTH: 'api-key' };
  api = await startApi({ ...env, ENCRYPTION_KEY });
  open = await startApi(env);
  own = await createKey(api.dataSource, SCOPES);
  colleague = await createKey(api.dataSource, SCOPES);
  stranger = await createKey(api.dataSource, SCOPES, 'stranger');
});
beforeEach(() => api.dataSource.query('DELETE FROM kept_answer'));
afterAll(async () => {
  await api.app.close();
  await open.app.close();
  await database.drop();
});

let made = 0;
const skill = (more: object = {}): object => {
  made += 1;
  return { name: `skill-${made}`, description: 'd', content: 'c', ...more };
};

interface Sent extends RequestOptions {
  readonly key?: string;
  readonly as?: string;
  readonly at?: RunningApi;
}
function send(path: string, { key = 'k', as = own, at = api, ...options }: Sent = {}): Promise<Answer> {
  const headers = { ...options.headers, authorization: `Bearer ${as}`, 'idempotency-key': key };
  return ask(at.url, path, { method: 'POST', ...options, headers });
}
const isReplayed = ({ headers }: Answer): boolean => headers.get('idempotency-replayed') === 'true';
async function countSkills(): Promise<number> {
  const [row] = await api.dataSource.query<{ count: number }[]>('SELECT count(*)::int FROM skill');
  return row?.count ?? 0;
}
const kept = (): Promise<{ status: number | null; body: string | null }[]> =>
  api.dataSource.query('SELECT status, body FROM kept_answer');

describe.each([
  ['with a key for sealing', () => api],
  ['without a key for sealing', () => open],
])('a POST under an Idempotency-Key, %s', (_name, server) => {
  it('is carried out once, and a repetition is answered as the first time', async () => {
    const json = skill();
    const before = await countSkills();
    const first = await send(SKILLS, { json, at: server() });
    expect([first.status, isReplayed(first)]).toEqual([201, false]);
    const second = await send(SKILLS, { json, at: server() });
    expect([second.status, isReplayed(second), second.text]).toEqual([201, true, first.text]);
    for (const name of ['location', 'etag', 'content-type'])
      expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    expect(await countSkills()).toBe(before + 1);
  });
});

describe('a repeated POST', () => {
  it('gets the first answer for a route without a body, also after later changes', async () => {
    const submitted = await send('/api/agents/1/execute/', { json: { input: 'x' } });
    const session = `/api/sessions/${String(submitted.body.session_uuid)}`;
    const archived = await send(`${session}/archive/`);
    await send(`${session}/unarchive/`, { key: 'another' });
    const again = await send(`${session}/archive/`);
    expect([again.status, again.text, isReplayed(again)]).toEqual([200, archived.text, true]);
    const found = await ask(api.url, `${session}/`, { headers: { authorization: `Bearer ${own}` } });
    expect(found.body['is_archived']).toBe(false);
  });

  it('is refused with another body, route or query under the same key', async () => {
    const json = skill();
    await send(SKILLS, { json });
    expectProblem(await send(SKILLS, { json: skill() }), REUSED);
    expectProblem(await send('/api/agents/', { json }), REUSED);
    expectProblem(await send(`${SKILLS}?a=1`, { json }), REUSED);
    expect(isReplayed(await send(SKILLS.slice(0, -1), { json }))).toBe(true);
  });

  it('from another tenant with the same key is another request', async () => {
    const json = skill();
    const first = await send(SKILLS, { json });
    const theirs = await send(SKILLS, { json, as: stranger });
    expect([theirs.status, isReplayed(theirs)]).toEqual([201, false]);
    expect(theirs.body['id']).not.toBe(first.body['id']);
    expect((await send(SKILLS, { json, as: stranger })).text).toBe(theirs.text);
    expect((await send(SKILLS, { json })).text).toBe(first.text);
  });

  it('is under way until the first one has its answer', async () => {
    const json = skill();
    const lock = api.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE skill IN ACCESS EXCLUSIVE MODE');
    const first = send(SKILLS, { json });
    await waitFor(async () => (await kept()).length === 1, { description: 'the claim' });
    const second = await send(SKILLS, { json });
    expectProblem(second, UNDER_WAY);
    expect(second.headers.get('retry-after')).toBe('1');
    await lock.rollbackTransaction();
    await lock.release();
    expect((await first).status).toBe(201);
    const third = await send(SKILLS, { json });
    expect([third.text, isReplayed(third)]).toEqual([(await first).text, true]);
  });

  it('is carried out once of twelve at the same time', async () => {
    const json = skill();
    const before = await countSkills();
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(SKILLS, { json })));
    expect(answers.filter((answer) => answer.status === 201 && !isReplayed(answer))).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectProblem(answer, UNDER_WAY);
    expect(await countSkills()).toBe(before + 1);
  });
});

describe('the key of a POST that came to nothing', () => {
  it('is free for a corrected request', async () => {
    const json = skill();
    expect((await send(SKILLS, { json: { ...json, name: '' } })).status).toBe(400);
    expect(await kept()).toEqual([]);
    expect((await send(SKILLS, { json })).status).toBe(201);
    expect((await send(SKILLS, { json, key: 'taken' })).status).toBe(409);
    expect(await kept()).toHaveLength(1);
  });

  it('is free for the same request where the server failed', async () => {
    const json = skill();
    await api.dataSource.query('ALTER TABLE skill RENAME TO skill_away');
    try {
      expect((await send(SKILLS, { json })).status).toBe(500);
    } finally {
      await api.dataSource.query('ALTER TABLE skill_away RENAME TO skill');
    }
    const again = await send(SKILLS, { json });
    expect([again.status, isReplayed(again)]).toEqual([201, false]);
  });

  it('is free after its claim where the process died', async () => {
    const json = skill();
    await send(SKILLS, { json });
    await api.dataSource.query('UPDATE kept_answer SET status = NULL, headers = NULL, body = NULL');
    expectProblem(await send(SKILLS, { json }), UNDER_WAY);
    await api.dataSource.query(`UPDATE kept_answer SET claimed_until = now() - interval '1 s'`);
    // The skill was created before the process died, so its name is taken.
    expect((await send(SKILLS, { json })).status).toBe(409);
    expect(await kept()).toEqual([]);
  });
});

it('a POST succeeds where its answer cannot be kept, which is logged', async () => {
  await api.dataSource.query('ALTER TABLE kept_answer ADD CONSTRAINT none_kept CHECK (status IS NULL)');
  try {
    expect((await send(SKILLS, { json: skill() })).status).toBe(201);
  } finally {
    await api.dataSource.query('ALTER TABLE kept_answer DROP CONSTRAINT none_kept');
  }
  expect(api.log.join('')).toContain('the answer to a request with an Idempotency-Key was not stored');
});

describe('an answer with a secret', () => {
  const newKey = { json: { name: 'robot', scopes: ['agents:read'] } };

  it('is given again to the same API key alone, and kept sealed', async () => {
    const first = await send('/api/api-keys/', newKey);
    expect([first.status, first.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const second = await send('/api/api-keys/', newKey);
    expect([second.text, isReplayed(second)]).toEqual([first.text, true]);
    expect(second.headers.get('cache-control')).toBe('no-store');
    expectProblem(await send('/api/api-keys/', { ...newKey, as: colleague }), REUSED);
    const [row] = await kept();
    expect(row?.body).toMatch(/^v1\.k1\./);
    expect(JSON.stringify(row)).not.toContain(first.body['key']);
  });

  it('is refused under a key where nothing can be sealed, and nothing is made', async () => {
    const count = (): Promise<unknown> => open.dataSource.query('SELECT count(*) FROM api_key');
    const before = await count();
    expectProblem(await send('/api/api-keys/', { ...newKey, at: open }), {
      ...{ status: 422, code: 'ENCRYPTION_NOT_CONFIGURED' },
      detail:
        'The answer contains a secret and cannot be stored, because ENCRYPTION_KEY is not set; send the request without Idempotency-Key',
    });
    expect(await count()).toEqual(before);
    expect(await kept()).toEqual([]);
  });

  it.each(['/api/webhook-signing-secret/rotate/', '/api/webhook-endpoints/'])(
    'is one of %s, too, which no cache keeps',
    async (path) => {
      const json = path.endsWith('rotate/') ? {} : { json: { url: 'https://example.com/hook' } };
      const first = await send(path, json);
      expect([first.status < 300, first.headers.get('cache-control')]).toEqual([true, 'no-store']);
      expect((await send(path, json)).text).toBe(first.text);
      expectProblem(await send(path, { ...json, as: colleague }), REUSED);
    },
  );
});
