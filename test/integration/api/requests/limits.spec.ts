import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const EXECUTE = '/api/agents/1/execute/';
const ENDPOINTS = '/api/webhook-endpoints/';
const NUMBER = (from: number, to: number): string => `must be a whole number from ${from} to ${to}`;
const ID = NUMBER(1, 2_147_483_647);
const CURSOR = 'must be the next_cursor of an earlier answer';

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

const keys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_unused, n) => [`key${n}`, 'v'.repeat(512)]));

describe('a submit at its limits is accepted', () => {
  it.each<[name: string, fields: object, headers?: Record<string, string>]>([
    ['200000 characters of input', { input: 'x'.repeat(200_000) }],
    ['200000 characters between blanks', { input: ` ${'x'.repeat(200_000)}\n` }],
    ['16 keys of 512 characters in metadata', { metadata: keys(16) }],
    ['a metadata key of 64 characters', { metadata: { ['k'.repeat(64)]: '' } }],
    ['50000 characters of prompt_policy_overrides', { prompt_policy_overrides: 'x'.repeat(50_000) }],
    ['an Idempotency-Key of 255 characters', {}, { 'idempotency-key': 'k'.repeat(255) }],
    ['an Idempotency-Key in quotes', {}, { 'idempotency-key': '"two words, and \\"more\\""' }],
    ['on_conflict in a new conversation', { on_conflict: 'reject' }],
    ['a malformed Prefer, which is ignored', {}, { prefer: 'wait=;=,,"' }],
    ['a Prefer that is not for us', {}, { prefer: 'return=minimal, handling=lenient' }],
  ])('%s', async (_name, fields, headers = {}) => {
    const answer = await ask(api.url, EXECUTE, { json: { input: 'x', ...fields }, headers });
    expect([answer.status, answer.body.code]).toEqual([202, undefined]);
  });
});

describe('a submit beyond its limits names the field', () => {
  const WORDS_OF_KEY = '1 to 255 visible ASCII characters, in double quotes or without spaces and commas';
  it.each<[name: string, fields: object, place: string, words: string]>([
    ['on_conflict', { on_conflict: 'wait' }, 'on_conflict', 'must be one of enqueue, reject, interrupt'],
    ['an empty on_conflict', { on_conflict: '' }, 'on_conflict', 'must be one of enqueue, reject, interrupt'],
    [
      'a number as on_conflict',
      { on_conflict: 1 },
      'on_conflict',
      'must be one of enqueue, reject, interrupt',
    ],
    ['a number as input', { input: 5 }, 'input', 'must be a text'],
    ['an empty session', { session_uuid: '' }, 'session_uuid', 'must be a UUID'],
    ['metadata as list', { metadata: [] }, 'metadata', 'must be a JSON object'],
    [
      'a long policy',
      { prompt_policy_overrides: 'x'.repeat(50_001) },
      'prompt_policy_overrides',
      'must be at most 50000 characters',
    ],
    [
      'a long executor',
      { executor: { user_id: 'u'.repeat(201), name: 'n', email: 'e' } },
      'executor/user_id',
      'must be at most 200 characters',
    ],
    [
      'more of an executor',
      { executor: { user_id: 'u', name: 'n', email: 'e', role: 'x' } },
      'executor/role',
      'is not a known field',
    ],
    [
      'additional data that no domain declares',
      { additional_data: { customerAccountNumber: 7, 'x/y': 1 } },
      'additional_data/x~1y',
      'is not a key of any domain; allowed: customerAccountNumber, customerAccountName, branchOrgId, domSnapshot, supportChannel, shownOrderNumber, supportUserAgent, attachments',
    ],
    [
      'additional data of another type',
      { additional_data: { branchOrgId: 'x' } },
      'additional_data/branchOrgId',
      'must be a number',
    ],
    [
      'additional data that only tools bake',
      { additional_data: { savedOrderRequestId: 7 } },
      'additional_data/savedOrderRequestId',
      'is not a key of any domain; allowed: customerAccountNumber, customerAccountName, branchOrgId, domSnapshot, supportChannel, shownOrderNumber, supportUserAgent, attachments',
    ],
    ['additional_data as list', { additional_data: [] }, 'additional_data', 'must be a JSON object'],
    [
      'a long metadata key',
      { metadata: { ['k'.repeat(65)]: 'v' } },
      `metadata/${'k'.repeat(65)}`,
      'its name must be 1 to 64 characters',
    ],
    [
      'a nameless metadata key',
      { metadata: { '': 'v' } },
      'metadata/',
      'its name must be 1 to 64 characters',
    ],
  ])('%s', async (_name, fields, place, words) => {
    const answer = await ask(api.url, EXECUTE, { json: { input: 'x', ...fields } });
    expectProblem(answer, {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: `${place.replaceAll('/', '.')}: ${words}`,
      places: [`pointer #/${place}`],
    });
  });

  it.each(['k'.repeat(256), '""', `"${'k'.repeat(256)}"`, 'a, b', 'caf\u00e9'])(
    'an Idempotency-Key like %j',
    async (key) => {
      const answer = await ask(api.url, EXECUTE, {
        json: { input: 'x' },
        headers: { 'idempotency-key': key },
      });
      expectProblem(answer, {
        status: 400,
        code: 'VALIDATION_ERROR',
        detail: `Idempotency-Key: must be ${WORDS_OF_KEY}`,
        places: ['header Idempotency-Key'],
      });
    },
  );
});

describe('a list', () => {
  const LISTS = ['/api/executions/', ENDPOINTS, '/api/webhook-deliveries/'];
  const wrong = LISTS.flatMap((path) =>
    [
      ['limit=0', 'limit', NUMBER(1, 100)],
      ['limit=101', 'limit', NUMBER(1, 100)],
      ['limit=1.5', 'limit', NUMBER(1, 100)],
      ['limit=1&limit=2', 'limit', NUMBER(1, 100)],
      ['cursor=', 'cursor', CURSOR],
      ['cursor=%F0%9F%98%80', 'cursor', CURSOR],
      [`cursor=${'x'.repeat(4_000)}`, 'cursor', CURSOR],
      ['offset=1', 'offset', 'is not a known parameter'],
    ].map(([query = '', parameter = '', words = '']) => [`${path}?${query}`, parameter, words] as const),
  );
  it.each(wrong)('%s names the parameter', async (path, parameter, words) => {
    expectProblem(await ask(api.url, path), {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: `${parameter}: ${words}`,
      places: [`parameter ${parameter}`],
    });
  });

  it.each(LISTS)('%s takes a limit of 1 and of 100', async (path) => {
    for (const limit of [1, 100])
      expect(await ask(api.url, `${path}?limit=${limit}`)).toMatchObject({ status: 200 });
  });
});

describe('a webhook endpoint', () => {
  it.each([
    ['PATCH', `${ENDPOINTS}x/`],
    ['DELETE', `${ENDPOINTS}0/`],
    ['POST', `${ENDPOINTS}-1/rotate-secret/`],
    ['GET', `${ENDPOINTS}2147483648/`],
  ])('is not asked for by a wrong id: %s %s', async (method, path) => {
    const options = method === 'PATCH' ? { method, json: {} } : { method };
    expectProblem(await ask(api.url, path, options), {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: `id: ${ID}`,
      places: ['parameter id'],
    });
  });

  it.each([
    ['POST', `${ENDPOINTS}1/`],
    ['PUT', ENDPOINTS],
    ['GET', `${ENDPOINTS}1/rotate-secret/`],
    ['DELETE', '/api/webhook-deliveries/evt_1/'],
    ['GET', '/api/webhook-deliveries/evt_1/redeliver/'],
    ['POST', `/api/executions/`],
  ])('does not take %s %s', async (method, path) => {
    const answer = await ask(api.url, path, { method });
    expect([answer.status, answer.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.get('allow')).not.toContain(method);
  });

  it('is not made of a body of another type', async () => {
    const answer = await ask(api.url, ENDPOINTS, { raw: 'url=x', headers: { 'content-type': 'text/plain' } });
    expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  const url = 'https://example.com/';
  it.each<[name: string, json: unknown, detail: string, place: string]>([
    ['a list', [], 'the body must be a JSON object', '#'],
    ['a number as URL', { url: 5 }, 'url: must be an http or https URL', '#/url'],
    ['events as text', { url, events: 'execution.completed' }, 'events: must be a list', '#/events'],
  ])('is not made of %s', async (_name, json, detail, place) => {
    expectProblem(await ask(api.url, ENDPOINTS, { json }), {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail,
      places: [`pointer ${place}`],
    });
  });
});
