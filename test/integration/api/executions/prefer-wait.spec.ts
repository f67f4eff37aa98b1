import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { submittedExecutionSchema } from '../../../../apps/api/src/executions/executions.dto.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';
import { park, settle, settleAndTell } from '../settle.js';
import { WatchCounter } from '../watch-counter.js';

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

interface Waiting {
  readonly id: string;
  readonly answer: Promise<Answer>;
}

interface Wait {
  readonly prefer?: string;
  readonly signal?: AbortSignal;
}

/** Sends a waiting submit; resolves as soon as the execution is accepted, with the pending answer. */
async function submitAndWait(name: string, { prefer = 'wait=20', signal }: Wait = {}): Promise<Waiting> {
  const answer = ask(api.url, '/api/agents/1/execute/', {
    json: { input: 'x', metadata: { name } },
    headers: { prefer },
    ...(signal && { signal }),
  });
  const id = await waitFor(() => findByName(name), { description: `the execution ${name}` });
  return { id, answer };
}

async function findByName(name: string): Promise<string | undefined> {
  const rows = await api.dataSource.query<{ id: string }[]>(
    `SELECT id FROM execution WHERE metadata->>'name' = $1`,
    [name],
  );
  return rows[0]?.id;
}

it('answers 200 in the shape of S3 as soon as the stream reports the result (S3-20)', async () => {
  const { id, answer } = await submitAndWait('streamed');
  const view = await settleAndTell(api, id, 2, { content: 'hello back' });

  const { status, headers, body } = await answer;

  expect(status).toBe(200);
  expect(headers.get('preference-applied')).toBe('wait=20');
  expect(headers.get('location')).toBe(`/api/executions/${id}/`);
  expect(submittedExecutionSchema.strict().parse(body)).toMatchObject({
    agent_id: 1,
    session_uuid: view.session_uuid,
    result: {
      message: { id: view.result?.message.id, role: 'assistant', content: 'hello back', data: {} },
      citations: [],
    },
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, total_cost_usd: '0.0001' },
    id,
    execution_id: id,
    status: 'completed',
    incomplete_details: null,
  });
});

it('answers 200 also when the stream has lost the result', async () => {
  const { id, answer } = await submitAndWait('undelivered');
  await settle(api.dataSource, id);

  expect((await answer).status).toBe(200);
});

it('answers 200 with what there is when the run is incomplete', async () => {
  const { id, answer } = await submitAndWait('incomplete');
  await settleAndTell(api, id, 2, { status: 'incomplete', content: 'half' });

  expect(await answer).toMatchObject({
    status: 200,
    body: {
      result: { message: { content: 'half' } },
      status: 'incomplete',
      incomplete_details: { reason: 'max_iterations' },
    },
  });
});

it('answers 500 with the code of a failed run, and names its execution (S3-31)', async () => {
  const { id, answer } = await submitAndWait('failed');
  const error = { code: 'SDK_ERROR', message: 'the model provider refuses the API key' };
  await settleAndTell(api, id, 2, { status: 'failed', error });

  const failed = await answer;
  expectProblem(failed, { status: 500, code: 'SDK_ERROR', detail: error.message });
  expect(failed.body.execution_id).toBe(id);
  expect(failed.headers.get('location')).toBe(`/api/executions/${id}/`);
  expect(failed.headers.get('x-should-retry')).toBe('false');
});

it('logs no error where just the execution has failed', async () => {
  const { id, answer } = await submitAndWait('failed and logged');
  const error = { code: 'SDK_ERROR', message: 'the model provider refuses the API key' };
  await settleAndTell(api, id, 2, { status: 'failed', error });

  expect((await answer).status).toBe(500);
  const lines = await waitFor(
    () => {
      const ofIt = api.log.filter((line) => line.includes(id));
      return ofIt.some((line) => line.includes('"answered"')) ? ofIt : null;
    },
    { description: 'the line of the answer' },
  );
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ level: 'info', msg: 'answered', executionId: id, res: { status: 500 } }),
  );
  expect(api.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

it.each(['wait=20, handling=lenient', 'handling="lenient", note="a, b", wait=20'])(
  'answers 200 with the error of a failed run to %s',
  async (prefer) => {
    const { id, answer } = await submitAndWait(`lenient: ${prefer}`, { prefer });
    const error = { code: 'SDK_ERROR', message: 'the model provider refuses the API key' };
    await settleAndTell(api, id, 2, { status: 'failed', error });

    const { status, headers, body } = await answer;

    expect(status).toBe(200);
    expect(headers.get('preference-applied')).toBe('wait=20, handling=lenient');
    expect(headers.get('location')).toBe(`/api/executions/${id}/`);
    expect(body).toMatchObject({ execution_id: id, status: 'failed', error, result: null });
  },
);

describe('a run that needs a person', () => {
  const waits = {
    status: 202,
    body: { status: 'requires_action', required_action: { calls: [{ call: '1.0' }] } },
  };

  it('is answered at once with what it asks for, when the stream reports it', async () => {
    const { id, answer } = await submitAndWait('parked', { prefer: 'wait=60' });
    await park(api.dataSource, id);
    await api.events.append(id, 2, [{ event: 'status', data: { status: 'requires_action', attempt: 1 } }]);

    expect(await answer).toMatchObject(waits);
  });

  it('is answered also when the stream has lost that', async () => {
    const { id, answer } = await submitAndWait('parked undelivered', { prefer: 'wait=60' });
    await park(api.dataSource, id);

    expect(await answer).toMatchObject(waits);
  });

  it('is answered at once to a client that asks again', async () => {
    const key = { 'idempotency-key': 'parked' };
    const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' }, headers: key });
    await park(api.dataSource, String(body.id));

    const headers = { ...key, prefer: 'wait=60' };
    expect(await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' }, headers })).toMatchObject(
      waits,
    );
  });

  it('is waited for when it was decided in between', async () => {
    const { id, answer } = await submitAndWait('decided');
    await api.events.append(id, 2, [{ event: 'status', data: { status: 'requires_action', attempt: 1 } }]);
    await settleAndTell(api, id, 3);

    expect(await answer).toMatchObject({ status: 200, body: { status: 'completed' } });
  });
});

it('answers 202 with the cancelled execution when it was cancelled', async () => {
  const { id, answer } = await submitAndWait('cancelled');
  await settleAndTell(api, id, 2, { status: 'cancelled' });

  expect(await answer).toMatchObject({ status: 202, body: { id, status: 'cancelled' } });
});

it('answers 202 when the time is over, and the execution goes on', async () => {
  const { id, answer } = await submitAndWait('slow', { prefer: 'wait=1' });

  const { status, headers, body } = await answer;

  expect(status).toBe(202);
  expect(headers.get('preference-applied')).toBe('wait=1');
  expect(body).toMatchObject({ id, status: 'queued' });
});

it.each(['wait=0', 'wait=soon', 'respond-async'])('ignores what it cannot honour: %s', async (prefer) => {
  const answer = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' }, headers: { prefer } });

  expect(answer.status).toBe(202);
  expect(answer.headers.has('preference-applied')).toBe(false);
});

it('waits for a replayed request too, and answers at once what has settled', async () => {
  const request = { json: { input: 'x' }, headers: { prefer: 'wait=20', 'idempotency-key': 'again' } };
  const { body } = await ask(api.url, '/api/agents/1/execute/', {
    ...request,
    headers: { 'idempotency-key': 'again' },
  });
  await settle(api.dataSource, String(body.id));

  const answer = await ask(api.url, '/api/agents/1/execute/', request);

  expect(answer).toMatchObject({ status: 200, body: { execution_id: body.id } });
});

it('stops watching when the client goes away', async () => {
  const watches = new WatchCounter(api.events);
  const client = new AbortController();
  const { answer } = await submitAndWait('gone', { prefer: 'wait=60', signal: client.signal });
  await waitFor(() => watches.open === 1, { description: 'the watch to open' });

  client.abort();

  await expect(answer).rejects.toThrow();
  await waitFor(() => watches.open === 0, { description: 'the watch to close' });
  watches.stop();
});
