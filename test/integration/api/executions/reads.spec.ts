import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ExecutionPageDto, RunStepPageDto } from '../../../../apps/api/src/executions/executions.dto.js';
import { MessagePageDto } from '../../../../apps/api/src/sessions/sessions.dto.js';
import { orderRequestSchema } from '../../../../examples/order-entry/capstan/domains/order-entry/routes/order-request.schema.ts';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';
import { settle } from '../settle.js';

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

async function submit(json: object = {}): Promise<{ id: string; session_uuid: string }> {
  const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x', ...json } });
  return z.object({ id: z.uuid(), session_uuid: z.uuid() }).parse(body);
}

async function pageOf(path: string) {
  return ExecutionPageDto.create((await ask(api.url, path)).body);
}

describe('executions', () => {
  it('are listed newest first, page by page, none twice and none left out', async () => {
    const { session_uuid } = await submit();
    for (let turn = 2; turn <= 5; turn += 1) await submit({ session_uuid });
    const filter = `/api/executions/?session_uuid=${session_uuid}&limit=2`;

    const turns: number[][] = [];
    for (let path = filter; path !== '';) {
      const page = await pageOf(path);
      turns.push(page.data.map((execution) => execution.turn_number));
      path = page.has_more ? `${filter}&cursor=${page.next_cursor ?? ''}` : '';
    }

    expect(turns).toEqual([[5, 4], [3, 2], [1]]);
  });

  it('are filtered by status and agent', async () => {
    const { id, session_uuid } = await submit();
    await submit({ session_uuid });
    await settle(api.dataSource, id);
    const idsOf = async (query: string): Promise<string[]> => {
      const { data } = await pageOf(`/api/executions/?session_uuid=${session_uuid}&${query}`);
      return data.map((execution) => execution.id);
    };

    expect(await idsOf('status=completed')).toEqual([id]);
    expect((await idsOf('status=queued')).length).toBe(1);
    expect((await idsOf('agent_id=1')).length).toBe(2);
    expect(await idsOf('agent_id=2')).toEqual([]);
  });

  it('show their result and usage once they have settled', async () => {
    const { id } = await submit();
    const view = await settle(api.dataSource, id, { content: 'the answer' });

    const answer = await ask(api.url, `/api/executions/${id.toUpperCase()}`);

    const request = { input: 'x', input_truncated: false, executor: null, options: {}, model: null };
    expect(answer.body).toEqual({ ...view, ...request });
    expect(answer.body).toMatchObject({
      status: 'completed',
      result: { message: { content: 'the answer' } },
    });
  });

  it('show their request, which lists show the beginning of, and their model once it is fixed', async () => {
    const input = 'long '.repeat(200).trim();
    const executor = { user_id: 'u7', name: 'Mara' };
    const options = { temperature: 0.2 };
    const { id, session_uuid } = await submit({ input, executor, options });
    await api.dataSource.query(
      `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, scope, data)
       VALUES ($1, 1, 'default', 1, 4, 'model_call_lost', '', '{"round": 1, "model": "lost"}'),
              ($1, 2, 'default', 1, 4, 'execution_prepared', '', '{"model": "m1"}')`,
      [id],
    );

    const request = { executor, options, model: 'm1' };
    expect((await ask(api.url, `/api/executions/${id}/`)).body).toMatchObject({
      ...{ input, input_truncated: false },
      ...request,
    });
    expect((await pageOf(`/api/executions/?session_uuid=${session_uuid}`)).data).toMatchObject([
      { input: input.slice(0, 500), input_truncated: true, ...request },
    ]);
  });

  it('show their audit by round and position (S2-31)', async () => {
    const { id } = await submit();
    await api.dataSource.query(
      `INSERT INTO run_step (execution_id, round, position, tenant_id, attempt, call_id, tool_name, input, output, status, finished_at)
       VALUES ($1, 2, 0, 'default', 1, 'c3', 'save_order_draft', '{}', NULL, 'started', NULL),
              ($1, 1, 1, 'default', 1, 'c2', 'search_items', '{"q": 2}', '{"status": "success"}', 'succeeded', now()),
              ($1, 1, 0, 'default', 1, 'c1', 'search_items', '{"q": 1}', '{"status": "success"}', 'succeeded', now())`,
      [id],
    );

    const { data } = RunStepPageDto.create((await ask(api.url, `/api/executions/${id}/steps/`)).body);

    expect(data.map((step) => step.call_id)).toEqual(['c1', 'c2', 'c3']);
    expect(data[0]).toMatchObject({
      tool_name: 'search_items',
      input: { q: 1 },
      status: 'succeeded',
      error: null,
    });
  });

  it('show the step of one call, of the root or of a scope', async () => {
    const { id } = await submit();
    await api.dataSource.query(
      `INSERT INTO run_step (execution_id, scope, round, position, tenant_id, attempt, call_id, tool_name, input, status)
       VALUES ($1, '', 1, 0, 'default', 1, 'c1', 'delegate', '{}', 'started'),
              ($1, '', 1, 1, 'default', 1, 'c2', 'look', '{}', 'started'),
              ($1, '1.0', 1, 1, 'default', 1, 'c3', 'look', '{}', 'started')`,
      [id],
    );
    const callIds = async (call: string) => {
      const { body } = await ask(api.url, `/api/executions/${id}/steps/?call=${encodeURIComponent(call)}`);
      return RunStepPageDto.create(body).data.map((step) => step.call_id);
    };

    expect(await callIds('1.1')).toEqual(['c2']);
    expect(await callIds('1.0:1.1')).toEqual(['c3']);
    expect(await callIds('9.9')).toEqual([]);
  });

  it('have an empty audit when no tool was called', async () => {
    const { id } = await submit();

    expect((await ask(api.url, `/api/executions/${id}/steps/`)).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });
});

describe('messages', () => {
  it('are listed oldest first, page by page, by session and by agent and session', async () => {
    const { session_uuid } = await submit();
    await api.dataSource.query(
      `INSERT INTO chat_message (tenant_id, session_id, turn_number, ordinal, role, content)
       SELECT 'default', $1, 1, n, CASE WHEN n = 0 THEN 'system' ELSE 'user' END, 'message ' || n FROM generate_series(0, 4) n`,
      [session_uuid],
    );

    for (const path of [
      `/api/sessions/${session_uuid}/messages/`,
      `/api/agents/1/sessions/${session_uuid}/messages/`,
    ]) {
      const first = MessagePageDto.create((await ask(api.url, `${path}?limit=3`)).body);
      const second = MessagePageDto.create(
        (await ask(api.url, `${path}?limit=3&cursor=${first.next_cursor ?? ''}`)).body,
      );

      expect(first.data.map((message) => message.content)).toEqual(['message 0', 'message 1', 'message 2']);
      expect(second.data.map((message) => message.content)).toEqual(['message 3', 'message 4']);
      expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    }
  });

  it('are not found under another agent (S3-29)', async () => {
    const { session_uuid } = await submit();

    const answer = await ask(api.url, `/api/agents/2/sessions/${session_uuid}/messages/`);

    expectProblem(answer, { status: 404, code: 'NOT_FOUND', detail: 'Session not found' });
  });

  it('stay readable when their agent is inactive', async () => {
    const agent = await ask(api.url, '/api/agents/', {
      json: { name: 'a', usecase_type: 'BASIC_CHAT', llm: 1 },
    });
    const id = String(agent.body.id);
    const { body } = await ask(api.url, `/api/agents/${id}/execute/`, { json: { input: 'x' } });
    await ask(api.url, `/api/agents/${id}/`, { method: 'DELETE' });

    const answer = await ask(api.url, `/api/agents/${id}/sessions/${String(body.session_uuid)}/messages/`);

    expect(answer).toMatchObject({ status: 200, body: { data: [], has_more: false, next_cursor: null } });
  });
});

describe('order requests', () => {
  it('show their lines with the names of the catalogue', async () => {
    const { id } = await submit();
    const [item] = await api.dataSource.query<[{ item_num: string; name: string }]>(
      `SELECT item_num, name FROM order_entry.catalogue_item WHERE tenant_id = 'default' ORDER BY item_num LIMIT 1`,
    );
    const line = {
      quantity: 2,
      pack_size: '',
      uom: 'CS',
      remark: null,
      original_text: '2 cs',
      status: 'success',
    };
    const rest = { help_request_message: null, confidence: 'high' };
    const payload = { items: [{ item_num: item.item_num, ...line, ...rest }], isSaved: false };
    const [order] = await api.dataSource.query<[{ id: number }]>(
      `INSERT INTO order_entry.order_request (tenant_id, execution_id, customer_name, payload) VALUES ('default', $1, 'Somebody', $2) RETURNING id`,
      [id, payload],
    );

    const view = orderRequestSchema.parse((await ask(api.url, `/api/order-requests/${order.id}/`)).body);

    expect(view).toMatchObject({
      id: order.id,
      execution_id: id,
      status: 'draft',
      customer_name: 'Somebody',
    });
    expect(view.items[0]).toMatchObject({ item_num: item.item_num, item_name: item.name, quantity: 2 });
  });

  it('lists those of the tenant in pages like every other list, the newest first, without their lines', async () => {
    const insert = (tenant: string): Promise<[{ id: number }]> =>
      api.dataSource.query(
        `INSERT INTO order_entry.order_request (tenant_id, execution_id, customer_name, payload)
         VALUES ($1, '00000000-0000-7000-8000-000000000000', 'Listed', '{"items": [], "isSaved": true}') RETURNING id`,
        [tenant],
      );
    const ids: number[] = [];
    for (const tenant of ['default', 'stranger', 'default', 'default']) {
      const [{ id }] = await insert(tenant);
      if (tenant === 'default') ids.unshift(id);
    }
    const list = async (query: string) => (await ask(api.url, `/api/order-requests/${query}`)).body;

    const first = await list('?limit=2');
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    expect(first.data).toEqual(
      ids.slice(0, 2).map((id) => expect.objectContaining({ id, customer_name: 'Listed', is_saved: true })),
    );
    expect(JSON.stringify(first.data)).not.toContain('items');
    const second = await list(`?limit=1&cursor=${String(first.next_cursor)}`);
    expect(second.data).toMatchObject([{ id: ids[2] }]);
    expect(await list('?limit=0')).toMatchObject({ status: 400, errors: [{ parameter: 'limit' }] });
    expect(await list('?cursor=nonsense')).toMatchObject({ status: 400, errors: [{ parameter: 'cursor' }] });
  });
});
