import { afterAll, beforeAll, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

const NOBODY = '0198c0de-0000-7000-8000-000000000001';
const statuses = 'queued, running, requires_action, completed, incomplete, failed, cancelled';
const number = (from: number, to: number): string => `must be a whole number from ${from} to ${to}`;
const id = number(1, 2_147_483_647);
const cursor = 'must be the next_cursor of an earlier answer';
const numberCursor = Buffer.from('5').toString('base64url');

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

it.each<[path: string, parameter: string, detail: string]>([
  ['/api/executions/abc/', 'id', 'must be a UUID'],
  ['/api/executions/abc/events/', 'id', 'must be a UUID'],
  ['/api/executions/abc/steps/', 'id', 'must be a UUID'],
  ['/api/executions/abc/timeline/', 'id', 'must be a UUID'],
  [`/api/executions/${NOBODY}/timeline/?cursor=${numberCursor}`, 'cursor', cursor],
  [`/api/executions/${NOBODY}/timeline/?limit=501`, 'limit', number(1, 500)],
  ['/api/executions/abc/working-memory/', 'id', 'must be a UUID'],
  ['/api/sessions/abc/messages/', 'uuid', 'must be a UUID'],
  [`/api/agents/x/sessions/${NOBODY}/messages/`, 'id', id],
  ['/api/agents/1/sessions/x/messages/', 'uuid', 'must be a UUID'],
  ['/api/agents/x/', 'id', id],
  ['/api/order-requests/x/', 'id', id],
  ['/api/webhook-endpoints/x/', 'id', id],
  ['/api/executions/?status=done', 'status', `must be one of ${statuses}, or several with commas between`],
  [
    '/api/executions/?status=failed&status=queued',
    'status',
    `must be one of ${statuses}, or several with commas between`,
  ],
  ['/api/executions/?agent_id=x', 'agent_id', id],
  ['/api/executions/?session_uuid=x', 'session_uuid', 'must be a UUID'],
  ['/api/executions/?agent=1', 'agent', 'is not a known parameter'],
  ['/api/executions/?limit=0', 'limit', number(1, 100)],
  ['/api/agents/?limit=101', 'limit', number(1, 100)],
  ['/api/webhook-endpoints/?limit=many', 'limit', number(1, 100)],
  [`/api/sessions/${NOBODY}/messages/?limit=`, 'limit', number(1, 100)],
  ['/api/executions/?cursor=abc', 'cursor', cursor],
  [`/api/executions/?cursor=${numberCursor}`, 'cursor', cursor],
  ['/api/agents/?cursor=%00', 'cursor', cursor],
  ['/api/agents/?include_inactive=yes', 'include_inactive', 'must be one of true, false'],
  [`/api/executions/${NOBODY}/events/?after=x`, 'after', number(0, 2_147_483_647)],
  [`/api/executions/${NOBODY}/events/?after=-1`, 'after', number(0, 2_147_483_647)],
])('GET %s names the parameter', async (path, parameter, words) => {
  const detail = `${parameter}: ${words}`;

  const answer = await ask(api.url, path);

  expectProblem(answer, {
    status: 400,
    code: 'VALIDATION_ERROR',
    detail,
    places: [`parameter ${parameter}`],
  });
});

it.each([
  ['GET', '/api/agents/999/', 'Agent not found'],
  ['DELETE', '/api/agents/999/', 'Agent not found'],
  ['GET', `/api/executions/${NOBODY}/`, 'Execution not found'],
  ['GET', `/api/executions/${NOBODY}/events/`, 'Execution not found'],
  ['GET', `/api/executions/${NOBODY}/steps/`, 'Execution not found'],
  ['GET', `/api/executions/${NOBODY}/working-memory/`, 'Execution not found'],
  ['GET', `/api/sessions/${NOBODY}/messages/`, 'Session not found'],
  ['GET', `/api/agents/1/sessions/${NOBODY}/messages/`, 'Session not found'],
  ['GET', '/api/order-requests/999/', 'Order request not found'],
  ['GET', '/api/webhook-endpoints/999/', 'Webhook endpoint not found'],
  ['DELETE', '/api/webhook-endpoints/999/', 'Webhook endpoint not found'],
])('%s %s is not found', async (method, path, detail) => {
  const answer = await ask(api.url, path, { method });

  expectProblem(answer, { status: 404, code: 'NOT_FOUND', detail });
});

it('a Last-Event-ID that was never one of ours is refused', async () => {
  const detail = 'Last-Event-ID: must be the id of an event of this execution';

  const answer = await ask(api.url, `/api/executions/${NOBODY}/events/`, {
    headers: { 'last-event-id': 'x' },
  });

  expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail, places: ['header Last-Event-ID'] });
});
