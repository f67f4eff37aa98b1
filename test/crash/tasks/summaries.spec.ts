import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { Client } from 'pg';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';

const QUICK = { LOG_LEVEL: 'error', DISPATCH_INTERVAL_MS: '100', DISPATCH_AGAIN_SECONDS: '1' };
/** About sixty tokens with its reply: the fourth turn exceeds the smallest possible budget. */
const ASKED = `<ask> ${'red '.repeat(25)}`;
const REPLIED = 'blue '.repeat(25).trim();
const SUMMARY = 'They spoke of colours.';
/** Tags that distinguish the prompts: a summary's prompt wraps the messages in its own, and drops `<ask>`. */
const TURNS = '<ask>';
const SUMMARIES = '<user>';

describe.each<QueueBackend>(['postgres', 'redis'])(
  'a summary whose worker is killed, queue in %s',
  (backend) => {
    let deployment: Deployment;
    let api: ApiClient;
    let database: Client;
    beforeAll(async () => {
      deployment = await Deployment.open(backend, QUICK);
      database = new Client({ connectionString: deployment.databaseUrl });
      await database.connect();
      await database.query(`UPDATE llm SET model = 'sim-script'`);
      await database.query(`UPDATE agent SET config = '{"history_tokens": 200}', tools = '{}'`);
      api = new ApiClient((await deployment.startApi()).url);
    });
    afterAll(async () => {
      await database.end();
      await deployment.close();
    });
    beforeEach(() => fetch(`${deployment.simulatorUrl}/__control`, { method: 'DELETE' }));

    async function script(contains: string, ...answers: object[]): Promise<void> {
      const response = await fetch(`${deployment.simulatorUrl}/__control/scripts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ contains, order: 'call', then: 'repeat_last', answers }),
      });
      expect(response.ok).toBe(true);
    }

    async function say(session?: string): Promise<ExecutionView> {
      const body = { input: ASKED, ...(session !== undefined && { session_uuid: session }) };
      return api.settled((await api.submit(body)).id);
    }

    async function outgrow(): Promise<ExecutionView> {
      let last = await say();
      for (let turn = 2; turn <= 4; turn += 1) last = await say(last.session_uuid);
      return last;
    }

    const summaryOf = (session: string) =>
      api.get<{ content: string | null; version: number; through_turn: number; is_pending: boolean }>(
        `/api/sessions/${session}/summary/`,
      );

    /** Waits for the summary, and expires the lease of a killed worker. */
    const summarized = (session: string) =>
      waitFor(
        async () => {
          await database.query(`UPDATE session_summary_order SET lease_expires_at = now() WHERE tries = 1`);
          const summary = await summaryOf(session);
          return summary.content === null || summary.is_pending ? null : summary;
        },
        { description: 'the summary' },
      );

    async function usageOf({ id }: ExecutionView): Promise<readonly string[]> {
      const { rows } = await database.query<{ call: string }>(
        `SELECT round || '.' || try_number || ' ' || state AS call FROM usage_log
        WHERE execution_id = $1 AND purpose = 'summary' ORDER BY round, try_number`,
        [id],
      );
      return rows.map(({ call }) => call);
    }

    /** The number of turns that the last prompt of a conversation quotes, and whether it holds the summary. */
    async function lastPrompt(): Promise<{ turns: number; hasSummary: boolean }> {
      const answer = await fetch(`${deployment.simulatorUrl}/__control/requests`);
      const { requests } = (await answer.json()) as { requests: { body: { input: object[] } }[] };
      const prompts = requests.map(({ body }) => JSON.stringify(body.input));
      const last = prompts.findLast((prompt) => prompt.includes(TURNS)) ?? '';
      return { turns: last.split(REPLIED).length - 1, hasSummary: last.includes(SUMMARY) };
    }

    it('while a model is asked is made by another worker; no turn waits for it, none is in neither', async () => {
      await script(TURNS, { text: REPLIED });
      const hangs = { faults: [{ on: { first: 1 }, fault: { kind: 'hang_before_headers' } }], text: 'never' };
      await script(SUMMARIES, hangs, { text: SUMMARY });
      const victim = await deployment.startWorker();
      const fourth = await outgrow();
      await waitFor(async () => (await usageOf(fourth)).length === 1, {
        description: 'the model to be asked',
      });
      const fifth = await say(fourth.session_uuid);
      expect(fifth.status).toBe('completed');
      expect(await lastPrompt()).toEqual({ turns: 4, hasSummary: false });
      expect(fifth.execution_metadata['history']).toMatchObject({
        from_turn: 1,
        is_cut: false,
        summary: null,
      });
      await victim.kill();

      const survivor = await deployment.startWorker();
      const { content, version, through_turn: through } = await summarized(fourth.session_uuid);
      expect([content, version]).toEqual([SUMMARY, 1]);
      // The fifth turn orders the summary anew, so the second try counts for that turn.
      expect(await usageOf(fourth)).toEqual(['1.1 unknown']);
      expect(await usageOf(fifth)).toEqual(['1.2 known']);
      const sixth = await say(fourth.session_uuid);
      expect(await lastPrompt()).toEqual({ turns: 5 - through, hasSummary: true });
      expect(sixth.execution_metadata['history']).toMatchObject({ from_turn: through + 1, is_cut: false });
      await survivor.kill();
    });

    it('before it is committed is there once, and stands for what is not shown any more', async () => {
      await script(TURNS, { text: REPLIED });
      await script(SUMMARIES, { text: SUMMARY });
      const lock = new Client({ connectionString: deployment.databaseUrl });
      await lock.connect();
      // The writing of a summary waits for this table at the end of its transaction.
      await lock.query('BEGIN; LOCK TABLE session_summary IN SHARE MODE');
      const victim = await deployment.startWorker();
      const fourth = await outgrow();
      await waitFor(
        async () => {
          const { rows } = await database.query<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND relation = 'session_summary'::regclass`,
          );
          return (rows[0]?.waiting ?? 0) > 0;
        },
        { description: 'the summary to be written' },
      );
      await victim.kill();
      await lock.query('ROLLBACK');
      await lock.end();

      const survivor = await deployment.startWorker();
      const { content, version, through_turn: through } = await summarized(fourth.session_uuid);
      expect([content, version]).toEqual([SUMMARY, 1]);
      // The killed worker's connection may still commit, in which case no second call is made.
      expect([['1.1 known'], ['1.1 unknown', '1.2 known']]).toContainEqual(await usageOf(fourth));
      await say(fourth.session_uuid);
      expect(await lastPrompt()).toEqual({ turns: 4 - through, hasSummary: true });
      await survivor.kill();
    });
  },
);
