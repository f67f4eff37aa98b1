import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { startApi, type RunningApi } from './api-fixture.js';
import { expectProblem } from './expect-problem.js';
import { ask } from './http-client.js';

const EXECUTE = '/api/agents/1/execute/';
const NOBODY = '0198c0de-0000-7000-8000-000000000001';

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

const INPUT_IS_REQUIRED = 'input is required';
const many = Object.fromEntries(Array.from({ length: 17 }, (_unused, index) => [`key${index}`, 'value']));
const long = { a: 'b'.repeat(513) };
const nameless = { user_id: 'u', email: 'e' };

it.each<[name: string, body: unknown, detail: string, ...pointers: string[]]>([
  ['no input (S3-28)', {}, INPUT_IS_REQUIRED, '#/input'],
  ['an empty input (S3-28)', { input: '' }, INPUT_IS_REQUIRED, '#/input'],
  ['an input of blanks', { input: ' \n\t\u3000' }, INPUT_IS_REQUIRED, '#/input'],
  ['an input of NULs', { input: '\u0000' }, INPUT_IS_REQUIRED, '#/input'],
  ['an input that is null', { input: null }, INPUT_IS_REQUIRED, '#/input'],
  ['no input and an unknown field', { text: 'x' }, INPUT_IS_REQUIRED, '#/input', '#/text'],
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
  ['half an executor', { input: 'x', executor: nameless }, 'executor.name: is required', '#/executor/name'],
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
  const answer = await ask(api.url, EXECUTE, { json: { input: 'x', session_uuid: NOBODY } });

  expectProblem(answer, { status: 404, code: 'NOT_FOUND', detail: 'Session not found' });
});

it('nothing is left behind of what was refused', async () => {
  const rows = await api.dataSource.query<unknown[]>(
    `SELECT id FROM execution UNION ALL SELECT id FROM chat_session UNION ALL SELECT execution_id FROM idempotency_key`,
  );

  expect(rows).toEqual([]);
});
