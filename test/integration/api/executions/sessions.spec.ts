import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { eraseDeletedSessions } from '#libs/persistence';
import {
  SessionDto,
  SessionPageDto,
  SessionSummaryDto,
} from '../../../../apps/api/src/sessions/sessions.dto.js';
import { eraseSession } from '../../../../apps/worker/src/housekeeping/housekeeping.tasks.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';
import { settle, settleAndTell } from '../settle.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const UNKNOWN = '01890a5d-ac96-774b-bcce-b302099a8057';
const NOT_FOUND = { status: 404, code: 'NOT_FOUND', detail: 'Session not found' };
const BUSY = {
  status: 409,
  code: 'CONVERSATION_LOCKED',
  detail: 'an execution of the session has not ended; cancel it, or delete the session when it has ended',
};
const ARCHIVED = { status: 400, code: 'INACTIVE_RESOURCE', detail: 'the session is archived' };

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

const submittedSchema = z.object({ id: z.uuid(), session_uuid: z.uuid() });

async function submit(json: object = {}, headers: Record<string, string> = {}) {
  const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x', ...json }, headers });
  return submittedSchema.parse(body);
}

const post = (uuid: string, action: string) =>
  ask(api.url, `/api/sessions/${uuid}/${action}/`, { method: 'POST' });
const remove = (uuid: string) => ask(api.url, `/api/sessions/${uuid}/`, { method: 'DELETE' });

async function count(sql: string, parameters: readonly unknown[]): Promise<number> {
  const [row] = await api.dataSource.query<{ count: number }[]>(sql, [...parameters]);
  return row?.count ?? -1;
}

describe('sessions', () => {
  it('are read with what is known of them', async () => {
    const { session_uuid } = await submit();
    await submit({ session_uuid });

    const view = SessionDto.create((await ask(api.url, `/api/sessions/${session_uuid.toUpperCase()}/`)).body);

    expect(view).toMatchObject({
      uuid: session_uuid,
      agent_id: 1,
      title: null,
      title_pending: false,
      is_archived: false,
      session_id: null,
      turn_count: 2,
    });
  });

  it('are there also where no agent began them (S3-5, S3-37)', async () => {
    const { session_uuid } = await submit();
    await api.dataSource.query(`UPDATE chat_session SET agent_id = NULL WHERE id = $1`, [session_uuid]);

    const view = await ask(api.url, `/api/sessions/${session_uuid}/`);

    expect(view).toMatchObject({ status: 200, body: { uuid: session_uuid, agent_id: null } });
    const { data } = SessionPageDto.create((await ask(api.url, '/api/sessions/')).body);
    expect(data.map(({ uuid }) => uuid)).toContain(session_uuid);
    expect((await ask(api.url, `/api/sessions/${session_uuid}/messages/`)).status).toBe(200);
  });

  it('are listed newest first, page by page, the archived ones apart', async () => {
    const uuids: string[] = [];
    for (let n = 0; n < 4; n += 1) uuids.unshift((await submit()).session_uuid);
    await post(uuids[1] ?? '', 'archive');
    const listed = async (query: string): Promise<string[]> => {
      const seen: string[] = [];
      for (let path = `/api/sessions/?limit=2&${query}`; path !== '';) {
        const page = SessionPageDto.create((await ask(api.url, path)).body);
        seen.push(...page.data.map(({ uuid }) => uuid));
        path = page.has_more ? `/api/sessions/?limit=2&${query}&cursor=${page.next_cursor ?? ''}` : '';
      }
      return seen.filter((uuid) => uuids.includes(uuid));
    };

    expect(await listed('')).toEqual([uuids[0], uuids[2], uuids[3]]);
    expect(await listed('archived=true')).toEqual([uuids[1]]);
    expect(await listed('agent_id=1&archived=false')).toEqual([uuids[0], uuids[2], uuids[3]]);
    expect(await listed('agent_id=2')).toEqual([]);
  });

  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['POST', 'archive/'],
    ['POST', 'unarchive/'],
    ['POST', 'reset/'],
    ['GET', 'messages/'],
  ])('in another tenant answer 404: %s %s', async (method, action) => {
    const { session_uuid } = await submit();
    await api.dataSource.query(`UPDATE chat_session SET tenant_id = 'another' WHERE id = $1`, [session_uuid]);

    for (const uuid of [session_uuid, UNKNOWN])
      expectProblem(await ask(api.url, `/api/sessions/${uuid}/${action}`, { method }), NOT_FOUND);
    expect(
      await count(`SELECT count(*)::int FROM chat_session WHERE id = $1 AND is_active`, [session_uuid]),
    ).toBe(1);
  });
});

describe('an archived session', () => {
  it.each(['enqueue', 'reject', 'interrupt'])(
    'takes no execution, nothing is stored, nothing is cancelled: %s (3.I-4)',
    async (on_conflict) => {
      const { id, session_uuid } = await submit();
      expect((await post(session_uuid, 'archive')).body).toMatchObject({ is_archived: true });
      const headers = { 'idempotency-key': `archived-${on_conflict}` };

      const answer = await ask(api.url, '/api/agents/1/execute/', {
        json: { input: 'x', session_uuid, on_conflict },
        headers,
      });

      expectProblem(answer, ARCHIVED);
      expect(await count(`SELECT count(*)::int FROM execution WHERE session_id = $1`, [session_uuid])).toBe(
        1,
      );
      expect(
        await count(`SELECT count(*)::int FROM idempotency_key WHERE key = $1`, [headers['idempotency-key']]),
      ).toBe(0);
      expect((await ask(api.url, `/api/executions/${id}/`)).body).toMatchObject({ status: 'queued' });
    },
  );

  it('can be read, and takes executions again when it is taken out of the archive', async () => {
    const { session_uuid } = await submit();
    const { body } = await ask(api.url, `/api/sessions/${session_uuid}/`);
    for (const _again of [1, 2])
      expect((await post(session_uuid, 'archive')).body).toEqual({ ...body, is_archived: true });
    expect((await ask(api.url, `/api/sessions/${session_uuid}/messages/`)).status).toBe(200);

    expect((await post(session_uuid, 'unarchive')).body).toMatchObject({ is_archived: false });

    expect((await submit({ session_uuid })).session_uuid).toBe(session_uuid);
  });
});

describe('deleting a session', () => {
  it('is refused while an execution of it has not ended, and deletes nothing', async () => {
    const { id, session_uuid } = await submit();

    expectProblem(await remove(session_uuid), BUSY);

    expect((await ask(api.url, `/api/executions/${id}/`)).status).toBe(200);
    await ask(api.url, `/api/executions/${id}/cancel/`, { method: 'POST' });
    expect((await remove(session_uuid)).status).toBe(204);
  });

  it('leaves nothing that belongs to it, in no table, in no stream and in no folder', async () => {
    await api.dataSource.query(`DELETE FROM deleted_session`);
    const webhook = { url: 'https://example.com/hook', events: ['execution.completed'] };
    const { id, session_uuid } = await submit({ webhook }, { 'idempotency-key': 'deleted' });
    const other = await submit();
    await settleAndTell(api, id, 2, { content: 'the answer' });
    await settle(api.dataSource, other.id);
    for (const execution of [id, other.id]) await fill(execution);
    const root = await mkdtemp(join(tmpdir(), 'session-files-'));
    for (const folder of [session_uuid, other.session_uuid]) {
      await mkdir(join(root, 'default', folder), { recursive: true });
      await writeFile(join(root, 'default', folder, 'note.txt'), 'x');
    }
    const before = await rowsThatName([id, session_uuid]);
    expect(before.length).toBeGreaterThan(8);

    expect((await remove(session_uuid)).status).toBe(204);
    // A worker that had just settled the execution appends this event after the deletion.
    await api.events.append(id, 3, [{ event: 'text_delta', data: { content: 'late', round: 1 } }]);
    const erase = () =>
      eraseDeletedSessions(api.dataSource, (session) => eraseSession(session, api.events, root));
    expect(await erase()).toBe(1);
    expect(await erase()).toBe(0);
    expect(await api.events.lastId(id)).toBe(0);
    await api.dataSource.query(`UPDATE deleted_session SET due_at = now()`);
    expect(await erase()).toBe(1);

    // Usage rows survive the deletion of their session.
    expect(await rowsThatName([id, session_uuid])).toEqual(['usage_log']);
    expect(
      await api.dataSource.query(
        `SELECT total_tokens::int, session_id, response_id FROM usage_log WHERE execution_id = $1`,
        [id],
      ),
    ).toEqual([{ total_tokens: 15, session_id: null, response_id: null }]);
    expect(await readdir(join(root, 'default'))).toEqual([other.session_uuid]);
    expect(await rowsThatName([other.id])).toEqual(expect.arrayContaining(['journal_entry', 'run_step']));
    expect((await ask(api.url, `/api/executions/${id}/`)).status).toBe(404);
    expectProblem(await remove(session_uuid), NOT_FOUND);
    await rm(root, { recursive: true });
  });

  /** Inserts a row into each table that an execution writes. */
  async function fill(id: string): Promise<void> {
    const statements = [
      `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, kind, data) VALUES ($1, 1, 'default', 1, 'cancellation_requested', '{}')`,
      `INSERT INTO run_step (execution_id, round, position, tenant_id, attempt, call_id, tool_name, input, status)
       VALUES ($1, 1, 0, 'default', 1, 'c', 'look', '{}', 'succeeded')`,
      `INSERT INTO late_evidence (execution_id, round, position, epoch, claim_token, tenant_id, status, output)
       VALUES ($1, 1, 0, 1, $1, 'default', 'failed', 'x')`,
      `INSERT INTO webhook_delivery (id, tenant_id, execution_id, type, body) VALUES ('evt_' || $1::uuid, 'default', $1, 'execution.completed', '{}')`,
      `INSERT INTO session_title (session_id, execution_id, tenant_id, title) SELECT session_id, id, 'default', 'x' FROM execution WHERE id = $1`,
      `INSERT INTO usage_log (execution_id, round, tenant_id, agent_id, session_id, model, response_id, total_tokens)
       SELECT id, 1, 'default', 1, session_id, 'm', 'resp_1', 15 FROM execution WHERE id = $1`,
    ];
    for (const statement of statements) await api.dataSource.query(statement, [id]);
    await api.dataSource.query(
      `INSERT INTO webhook_attempt (tenant_id, delivery_id, number, duration_ms) VALUES ('default', 'evt_' || $1, 1, 1)`,
      [id],
    );
  }

  /** Names of the tables that contain one of these ids in a row. */
  async function rowsThatName(ids: readonly string[]): Promise<string[]> {
    const tables = await api.dataSource.query<{ name: string }[]>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await api.dataSource.query<unknown[]>(
        `SELECT 1 FROM ${name} AS line WHERE line::text LIKE ANY ($1) LIMIT 1`,
        [ids.map((id) => `%${id}%`)],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  }
});

describe('the summary of a session', () => {
  const summaryOf = (uuid: string) => ask(api.url, `/api/sessions/${uuid}/summary/`);

  it('is none at first; then it says what it stands for, by turn and by message', async () => {
    const { id, session_uuid: uuid } = await submit();
    const none = { content: null, version: 0, through_turn: null, through_message_id: null };
    expect(await summaryOf(uuid)).toMatchObject({
      status: 200,
      body: { ...none, is_pending: false, written_at: null },
    });
    await settle(api.dataSource, id);
    await api.dataSource.query(
      `INSERT INTO session_summary (session_id, tenant_id, first_turn, through_turn, version, content, tokens, model, written_at)
       VALUES ('${uuid}', 'default', 1, 1, 3, 'They met.', 4, 'm', '2026-11-22T09:00:00Z');
       INSERT INTO session_summary_order (session_id, tenant_id, execution_id, model, most_messages, most_tokens)
       VALUES ('${uuid}', 'default', '${id}', 'm', 1, 1)`,
    );
    const [last] = await api.dataSource.query<{ id: number }[]>(
      `SELECT max(id) AS id FROM chat_message WHERE session_id = '${uuid}'`,
    );
    const { body } = await summaryOf(uuid);
    expect(SessionSummaryDto.create(body)).toEqual({
      ...{ content: 'They met.', version: 3, through_turn: 1, through_message_id: last?.id, tokens: 4 },
      ...{ model: 'm', is_pending: true, written_at: '2026-11-22T09:00:00.000Z' },
    });
  });

  it('is not found where there is no such session', async () => {
    expectProblem(await summaryOf(UNKNOWN), NOT_FOUND);
    expect((await summaryOf('nonsense')).status).toBe(400);
  });
});
