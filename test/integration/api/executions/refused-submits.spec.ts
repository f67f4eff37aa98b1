import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WEBHOOK_EVENT_TYPES } from '#libs/payloads';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const EXECUTE = '/api/agents/1/execute/';
const NOBODY = '0198c0de-0000-7000-8000-000000000001';

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY });
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const INPUT_IS_REQUIRED = 'input is required';
const many = Object.fromEntries(Array.from({ length: 17 }, (_unused, index) => [`key${index}`, 'value']));
const long = { a: 'b'.repeat(513) };
const unidentified = { name: 'n', email: 'e' };

it.each<[name: string, body: unknown, detail: string, ...pointers: string[]]>([
  ['no input (S3-28)', {}, INPUT_IS_REQUIRED, '#/input'],
  ['an empty input (S3-28)', { input: '' }, INPUT_IS_REQUIRED, '#/input'],
  ['an input of blanks', { input: ' \n\t\u3000' }, INPUT_IS_REQUIRED, '#/input'],
  ['an input of NULs', { input: '\u0000' }, INPUT_IS_REQUIRED, '#/input'],
  ['an input that is null', { input: null }, INPUT_IS_REQUIRED, '#/input'],
  ['no input and an unknown field', { text: 'x' }, 'text: is not a known field', '#/text', '#/input'],
  ['a long input', { input: 'x'.repeat(200_001) }, 'input: at most 200000 characters', '#/input'],
  [
    'a malformed session',
    { input: 'x', session_uuid: 'a' },
    'session_uuid: must be a UUID',
    '#/session_uuid',
  ],
  ['a numeric session', { input: 'x', session_uuid: 5 }, 'session_uuid: must be a UUID', '#/session_uuid'],
  ['options as list', { input: 'x', options: [] }, 'options: must be a JSON object', '#/options'],
  ['options as text', { input: 'x', options: 'hot' }, 'options: must be a JSON object', '#/options'],
  ['null options', { input: 'x', options: null }, 'options: must be a JSON object', '#/options'],
  ['an unknown field', { input: 'x', optoins: {} }, 'optoins: is not a known field', '#/optoins'],
  [
    'an executor without an id',
    { input: 'x', executor: unidentified },
    'executor.user_id: is required',
    '#/executor/user_id',
  ],
  [
    'an employee without an id of the user',
    { input: 'x', executor: { ...unidentified, employee_id: 'e9' } },
    'executor.user_id: is required',
    '#/executor/user_id',
  ],
  [
    'a skill that is a number',
    { input: 'x', preferred_skills: [7] },
    'preferred_skills.0: must be a text',
    '#/preferred_skills/0',
  ],
  [
    'a skill that is no list',
    { input: 'x', preferred_skills: 'a' },
    'preferred_skills: must be a list',
    '#/preferred_skills',
  ],
  [
    'many skills',
    { input: 'x', preferred_skills: Array.from({ length: 101 }, () => 'a') },
    'preferred_skills: at most 100 names',
    '#/preferred_skills',
  ],
  ['a number in metadata', { input: 'x', metadata: { a: 1 } }, 'metadata.a: must be a text', '#/metadata/a'],
  [
    'long metadata',
    { input: 'x', metadata: long },
    'metadata.a: at most 512 characters per value',
    '#/metadata/a',
  ],
  ['much metadata', { input: 'x', metadata: many }, 'metadata: at most 16 keys', '#/metadata'],
  ['a list', [], 'the body must be a JSON object', '#'],
  ['null', null, 'the body must be a JSON object', '#'],
  ['a text', 'hello', 'the body must be a JSON object', '#'],
])('a body with %s is refused', async (_name, json, detail, ...pointers) => {
  const places = pointers.map((pointer) => `pointer ${pointer}`);

  const answer = await ask(api.url, EXECUTE, { json });

  expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail, places });
});

const URL_WORDS = 'must be an http or https URL';
const url = 'https://example.com/';

it.each<[name: string, webhook: unknown, detail: string, ...pointers: string[]]>([
  ['that is null', null, 'webhook: must be a JSON object', '#/webhook'],
  ['that is only a URL', url, 'webhook: must be a JSON object', '#/webhook'],
  ['without URL', {}, `webhook.url: ${URL_WORDS}`, '#/webhook/url'],
  ['with a numeric URL', { url: 7 }, `webhook.url: ${URL_WORDS}`, '#/webhook/url'],
  ['with an empty URL', { url: '' }, `webhook.url: ${URL_WORDS}`, '#/webhook/url'],
  ['with a relative URL', { url: '/hook' }, `webhook.url: ${URL_WORDS}`, '#/webhook/url'],
  ['with another protocol', { url: 'ftp://example.com/' }, `webhook.url: ${URL_WORDS}`, '#/webhook/url'],
  ['with a script', { url: 'javascript:alert(1)' }, `webhook.url: ${URL_WORDS}`, '#/webhook/url'],
  [
    'with a password',
    { url: 'https://user:s3cret@example.com/' },
    'webhook.url: must not hold a user or password: requests are signed',
    '#/webhook/url',
  ],
  [
    'with a long URL',
    { url: `${url}${'x'.repeat(2_048)}` },
    'webhook.url: must be at most 2048 characters',
    '#/webhook/url',
  ],
  ['without events', { url, events: [] }, 'webhook.events: must not be empty', '#/webhook/events'],
  [
    'with one event that is no list',
    { url, events: 'execution.completed' },
    'webhook.events: must be a list',
    '#/webhook/events',
  ],
  [
    'with an unknown event',
    { url, events: ['execution.completed', 'execution.began'] },
    `webhook.events.1: must be one of ${WEBHOOK_EVENT_TYPES.join(', ')}`,
    '#/webhook/events/1',
  ],
  [
    'with a secret',
    { url, secret: 'whsec_s3cret' },
    'webhook.secret: is not a known field',
    '#/webhook/secret',
  ],
])('a webhook %s is refused', async (_name, webhook, detail, ...pointers) => {
  const places = pointers.map((pointer) => `pointer ${pointer}`);

  const answer = await ask(api.url, EXECUTE, { json: { input: 'x', webhook } });

  expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail, places });
  expect(answer.text).not.toContain('s3cret');
});

it('a webhook is refused by a server that cannot keep the secret that signs it', async () => {
  const unable = await startApi({ DATABASE_URL: database.url });
  try {
    expectProblem(await ask(unable.url, EXECUTE, { json: { input: 'x', webhook: { url } } }), {
      status: 422,
      code: 'ENCRYPTION_NOT_CONFIGURED',
      detail: 'Secrets cannot be stored, because ENCRYPTION_KEY is not set',
    });
  } finally {
    await unable.app.close();
  }
});

it.each([
  ['no body', { method: 'POST' }],
  ['an empty body', { method: 'POST', raw: '' }],
])('%s is a body without input', async (_name, request) => {
  const places = ['pointer #/input'];

  const answer = await ask(api.url, EXECUTE, request);

  expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail: INPUT_IS_REQUIRED, places });
});

it.each(['abc', '0', '-1', '1.0', '1e1', '2147483648', '99999999999999999999'])(
  'no agent has the id %s',
  async (id) => {
    const detail = 'id: must be a whole number from 1 to 2147483647';

    const answer = await ask(api.url, `/api/agents/${id}/execute/`, { json: { input: 'x' } });

    expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail, places: ['parameter id'] });
  },
);

it.each(['two words', 'k'.repeat(256), '""', '"open'])('%j is no Idempotency-Key', async (key) => {
  const words = '1 to 255 visible ASCII characters, in double quotes or without spaces and commas';
  const detail = `Idempotency-Key: must be ${words}`;

  const answer = await ask(api.url, EXECUTE, { json: { input: 'x' }, headers: { 'idempotency-key': key } });

  expectProblem(answer, {
    status: 400,
    code: 'VALIDATION_ERROR',
    detail,
    places: ['header Idempotency-Key'],
  });
});

it('an unknown agent is not found (S3-29)', async () => {
  const answer = await ask(api.url, '/api/agents/999/execute/', { json: { input: 'x' } });

  expectProblem(answer, { status: 404, code: 'NOT_FOUND', detail: 'Agent not found' });
});

it('an unknown session is not found (S3-29)', async () => {
  const json = { input: 'x', session_uuid: NOBODY, webhook: { url } };

  const answer = await ask(api.url, EXECUTE, { json });

  expectProblem(answer, { status: 404, code: 'NOT_FOUND', detail: 'Session not found' });
});

it('nothing is left behind of what was refused', async () => {
  const rows = await api.dataSource.query<unknown[]>(
    `SELECT id::text FROM execution UNION ALL SELECT id::text FROM chat_session
     UNION ALL SELECT execution_id::text FROM idempotency_key UNION ALL SELECT execution_id::text FROM execution_webhook
     UNION ALL SELECT tenant_id FROM webhook_signing_secret`,
  );

  expect(rows).toEqual([]);
});
