import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { executionViewSchema } from '#libs/payloads';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

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

async function insertAgent(fields: { usecaseType?: string; isActive?: boolean } = {}): Promise<number> {
  const [agent] = await api.dataSource.query<[{ id: number }]>(
    `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, is_active) VALUES ('default', 'other', $1, 1, $2) RETURNING id`,
    [fields.usecaseType ?? 'BASIC_CHAT', fields.isActive ?? true],
  );
  return agent.id;
}

describe('POST /api/agents/{id}/execute/', () => {
  it('accepts with 202, says where to follow, and shows the execution (S3-8, S3-10)', async () => {
    const answer = await ask(api.url, '/api/agents/1/execute/', {
      json: { input: '  hello ', metadata: { order: 'A-1' } },
    });

    expect(answer.status).toBe(202);
    const execution = executionViewSchema.parse(answer.body);
    expect(execution).toMatchObject({
      agent_id: 1,
      turn_number: 1,
      status: 'queued',
      attempt: 0,
      result: null,
    });
    expect(execution.metadata).toEqual({ order: 'A-1' });
    expect(answer.headers.get('location')).toBe(`/api/executions/${execution.id}/`);
    expect(answer.headers.has('preference-applied')).toBe(false);
  });

  it('stores the input trimmed, with what was said about it (S3-12)', async () => {
    const said = {
      input: ' hello ',
      options: { temperature: 0.2 },
      executor: { user_id: 'u', name: 'n', email: 'e' },
    };

    const { body } = await ask(api.url, '/api/agents/1/execute/', { json: said });

    const [row] = await api.dataSource.query<[{ request: unknown }]>(
      'SELECT request FROM execution WHERE id = $1',
      [body.id],
    );
    expect(row.request).toEqual({ ...said, input: 'hello', additional_data: {} });
  });

  it('is the same with and without the last slash, without a redirect', async () => {
    const answer = await ask(api.url, '/api/agents/1/execute', { json: { input: 'x' } });

    expect(answer.status).toBe(202);
  });

  it('answers at its Location what it answered at first', async () => {
    const accepted = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' } });

    const read = await ask(api.url, accepted.headers.get('location') ?? '');

    expect(read.status).toBe(200);
    expect({ ...read.body, execution_id: read.body.id }).toMatchObject(accepted.body);
  });

  it('continues a session with the next turn', async () => {
    const first = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'one' } });
    const session_uuid = String(first.body.session_uuid).toUpperCase();

    const second = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'two', session_uuid } });

    expect(second.body).toMatchObject({ session_uuid: first.body.session_uuid, turn_number: 2 });
  });

  it('begins a session that says which agent it is of (S3-5)', async () => {
    const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'one' } });

    const session = await ask(api.url, `/api/sessions/${String(body.session_uuid)}/`);

    expect(session.body).toMatchObject({ uuid: body.session_uuid, agent_id: 1 });
  });

  it('does not find a session of another agent (S3-29)', async () => {
    const first = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'one' } });
    const otherAgent = await insertAgent();

    const json = { input: 'two', session_uuid: first.body.session_uuid };
    const answer = await ask(api.url, `/api/agents/${otherAgent}/execute/`, { json });

    expectProblem(answer, { status: 404, code: 'NOT_FOUND', detail: 'Session not found' });
  });

  it('takes nothing for an archived session (S3-29, 3.I-4)', async () => {
    const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'one' } });
    await api.dataSource.query('UPDATE chat_session SET is_active = false WHERE id = $1', [
      body.session_uuid,
    ]);

    const json = { input: 'two', session_uuid: body.session_uuid };
    const answer = await ask(api.url, '/api/agents/1/execute/', { json });

    expectProblem(answer, { status: 400, code: 'INACTIVE_RESOURCE', detail: 'the session is archived' });
  });

  it('does not find an inactive agent (S3-3)', async () => {
    const agent = await insertAgent({ isActive: false });

    const answer = await ask(api.url, `/api/agents/${agent}/execute/`, { json: { input: 'x' } });

    expectProblem(answer, { status: 404, code: 'NOT_FOUND', detail: 'Agent not found' });
  });

  it('refuses a usecase that this release does not know (S3-30)', async () => {
    const agent = await insertAgent({ usecaseType: 'CUSTOM_CHAT' });

    const answer = await ask(api.url, `/api/agents/${agent}/execute/`, { json: { input: 'x' } });

    expectProblem(answer, {
      status: 422,
      code: 'UNSUPPORTED_USECASE_TYPE',
      detail: 'Unsupported usecase_type',
    });
  });
});
