import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ModelCallError, type ModelPort } from '#libs/agent-core';
import { NO_METER, SummarizeSession } from '#libs/executions';
import { responsesParameters } from '#libs/model-providers';
import { SessionChangesStore, SessionSummaryStore } from '#libs/persistence';
import type { ToolDefinition } from '#libs/tooling';
import { BY_CHARACTERS } from '../../../support/builders/counted-model.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

const REPLY = 'r'.repeat(60);
const INPUT = 'q'.repeat(40);
/** Token budget of the history, here in characters: five turns of 100 characters. */
const HISTORY = 500;

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([], { history_tokens: HISTORY });
});
afterAll(() => world.close());

/** Tools that the agent may call. */
let tools: readonly ToolDefinition[] = [];

/** One turn; with the name of a tool, its model calls that first. */
async function say(sessionId?: string, reply = REPLY, tool?: string) {
  const calls = tool === undefined ? [] : [aModelAnswer({ toolCalls: [aCall(tool, 'c1')] })];
  const model = new SequenceModel([...calls, aModelAnswer({ text: reply })]);
  const request = { input: INPUT, options: {}, additional_data: {} };
  const submitted = await world.submit({ request, ...(sessionId !== undefined && { sessionId }) });
  const view = await world.run(submitted.id, model, tools);
  return { ...submitted, view, prompt: model.requests[0]?.messages ?? [] };
}

async function sayTimes(turns: number, sessionId?: string) {
  let last = await say(sessionId);
  for (let turn = 2; turn <= turns; turn += 1) last = await say(last.sessionId);
  return last;
}

async function summarize(sessionId: string, model: ModelPort): Promise<void> {
  await new SummarizeSession({
    summaries: new SessionSummaryStore(world.dataSource),
    models: {
      of: () => ({
        ...{ model, maxRetries: 0, prices: null, costOf: () => '0.25' },
        ...{ ...BY_CHARACTERS, parameters: responsesParameters },
      }),
    },
    messageData: { shownToModel: () => ({}) },
    newToken: randomUUID,
    signalAfter: () => new AbortController().signal,
    logger: pino({ level: 'silent' }),
    meter: NO_METER,
  }).execute(sessionId);
}

const summaryOf = (sessionId: string) => world.sessions.findSummary('default', sessionId);
const answering = (...texts: string[]) => new SequenceModel(texts.map((text) => aModelAnswer({ text })));
const usageOf = (executionId: string): Promise<object[]> =>
  world.dataSource.query(
    `SELECT round, try_number, state, session_id IS NOT NULL AS is_kept, total_tokens::int, cost_usd::text FROM usage_log
      WHERE execution_id = $1 AND purpose = 'summary' ORDER BY round, try_number`,
    [executionId],
  );

describe('a conversation that outgrows its budget', () => {
  it('is summarised after the turn that passed it; what is shown then is the summary and the newest turns', async () => {
    const fifth = await sayTimes(5);
    const { sessionId } = fifth;
    expect(await summaryOf(sessionId)).toMatchObject({ content: null, version: 0, is_pending: false });
    const sixth = await say(sessionId);
    expect(sixth.prompt).toHaveLength(1 + 10 + 1);
    expect(sixth.view.execution_metadata['history']).toMatchObject({
      from_turn: 1,
      messages: 10,
      tokens: 500,
    });
    expect(await summaryOf(sessionId)).toMatchObject({ is_pending: true });

    const model = answering('They talked.');
    await summarize(sessionId, model);
    expect(model.requests).toHaveLength(1);
    const messages = await world.sessions.listMessages('default', sessionId, { limit: 100 });
    const last = messages.rows.findLast(({ turn_number }) => turn_number === 4);
    expect(await summaryOf(sessionId)).toMatchObject({
      ...{ content: 'They talked.', version: 1, through_turn: 4, through_message_id: last?.id },
      ...{ tokens: 12, is_pending: false },
    });
    expect(await usageOf(sixth.id)).toEqual([
      { round: 1, try_number: 1, state: 'known', is_kept: true, total_tokens: 15, cost_usd: '0.25' },
    ]);

    const seventh = await say(sessionId);
    expect(seventh.prompt.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(seventh.prompt[0]?.content).toMatch(
      /^Be brief\.\n\n<conversation_summary>\n.*\nThey talked\.\n<\/conv/,
    );
    expect(seventh.view.execution_metadata['history']).toEqual({
      ...{ from_turn: 5, messages: 4, tokens: 200, is_cut: false },
      summary: { version: 1, through_turn: 4 },
    });
  });

  it('rolls on: each summary is made of the one before and of what left since, and no turn is in neither', async () => {
    let { sessionId } = await sayTimes(6);
    for (let version = 1; version <= 4; version += 1) {
      const model = answering(`version ${version}`);
      await summarize(sessionId, model);
      const asked = model.requests[0]?.messages.at(-1)?.content ?? '';
      expect(asked.includes(`version ${version - 1}`)).toBe(version > 1);
      const summary = await summaryOf(sessionId);
      expect(summary).toMatchObject({ version, content: `version ${version}` });
      const { prompt, view } = await say(sessionId);
      const { turn_number: turn } = view;
      expect(prompt.length - 2).toBe(2 * (turn - 1 - (summary?.through_turn ?? 0)));
      for (let more = 0; more < 3; more += 1) ({ sessionId } = await say(sessionId));
    }
  });

  it('keeps the tokens of its messages with them: those of its first turn by bytes, without a tokenizer', async () => {
    const { sessionId } = await sayTimes(3);
    const rows: object[] = await world.dataSource.query(
      `SELECT turn_number, role, tokens, tokenizer FROM chat_message WHERE session_id = $1 ORDER BY turn_number, ordinal`,
      [sessionId],
    );
    const counted = (turn: number, tokenizer: string) => [
      { turn_number: turn, role: 'user', tokens: 40, tokenizer },
      { turn_number: turn, role: 'assistant', tokens: 60, tokenizer },
    ];
    expect(rows).toEqual([
      { turn_number: 1, role: 'system', tokens: null, tokenizer: null },
      ...counted(1, 'utf-8 bytes'),
      ...counted(2, 'characters'),
      ...counted(3, 'characters'),
    ]);
  });

  it('is counted by tokens before a model is asked: bytes of its first turn may be above the budget', async () => {
    const { sessionId } = await say(undefined, 'ä'.repeat(HISTORY / 2));
    const orders = (): Promise<object[]> =>
      world.dataSource.query(`SELECT 1 FROM session_summary_order WHERE session_id = $1`, [sessionId]);
    expect(await orders()).toHaveLength(1);
    const model = new SequenceModel([]);
    await summarize(sessionId, model);
    expect(model.requests).toEqual([]);
    expect(await orders()).toEqual([]);
    expect(await summaryOf(sessionId)).toMatchObject({ version: 0, is_pending: false });
  });

  it('keeps by its summary that it has read foreign content: an unsafe call waits for a person', async () => {
    const afterSummary = async (first?: string) => {
      tools = [aTool('look', { isForeign: true }), aTool('charge', { effect: 'unsafe' })];
      await world.offer(tools, {
        ...{ history_tokens: HISTORY, require_approval_after_foreign_content: true },
      });
      try {
        const { sessionId } = await say(undefined, REPLY, first);
        await sayTimes(6, sessionId);
        await summarize(sessionId, answering('They talked.'));
        expect(await summaryOf(sessionId)).toMatchObject({ content: 'They talked.', through_turn: 5 });
        const { view, prompt } = await say(sessionId, REPLY, 'charge');
        expect(prompt[0]?.content).toContain('They talked.');
        return view;
      } finally {
        tools = [];
        await world.offer(tools, { history_tokens: HISTORY });
      }
    };
    expect(await afterSummary()).toMatchObject({ status: 'completed' });
    expect(await afterSummary('look')).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ reason: 'foreign_content', tool_name: 'charge' }] },
    });
  });

  it('is longer while its summary fails, and loses nothing', async () => {
    const { sessionId, id } = await sayTimes(6);
    const failing = new ModelCallError({ reason: 'overloaded', message: 'busy', retryable: true });
    await summarize(sessionId, new SequenceModel([failing]));
    expect(await summaryOf(sessionId)).toMatchObject({ content: null, is_pending: true });
    expect(await usageOf(id)).toMatchObject([
      { round: 1, try_number: 1, state: 'failed', total_tokens: null },
    ]);
    expect((await say(sessionId)).prompt).toHaveLength(1 + 12 + 1);
    // The order is not due yet, so an early job does nothing.
    await summarize(sessionId, answering());
  });

  it('takes its summary along when it is deleted; what was spent stays in the accounts', async () => {
    const { sessionId, id } = await sayTimes(6);
    await summarize(sessionId, answering('They talked.'));
    await say(sessionId);
    expect(await new SessionChangesStore(world.dataSource).delete('default', sessionId)).toBe('deleted');
    const left: object[] = await world.dataSource.query(
      `SELECT 1 FROM session_summary WHERE session_id = $1
        UNION ALL SELECT 1 FROM session_summary_order WHERE session_id = $1`,
      [sessionId],
    );
    expect(left).toEqual([]);
    expect(await usageOf(id)).toMatchObject([{ state: 'known', is_kept: false, cost_usd: '0.25' }]);
    await summarize(sessionId, answering());
  });

  it('stands for nothing where it was committed just as its session was reset', async () => {
    const { sessionId } = await sayTimes(6);
    await new SessionChangesStore(world.dataSource).reset('default', sessionId);
    await world.dataSource.query(
      `INSERT INTO session_summary (session_id, tenant_id, first_turn, through_turn, version, content, tokens, model, written_at)
       VALUES ($1, 'default', 1, 4, 1, 'from before', 3, 'm', now())`,
      [sessionId],
    );
    expect(await summaryOf(sessionId)).toMatchObject({ content: null, is_pending: false });
    const { prompt } = await say(sessionId);
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(prompt[0]?.content).not.toContain('from before');
  });

  it('is not found in another tenant', async () => {
    const { sessionId } = await say();
    expect(await world.sessions.findSummary('other', sessionId)).toBeNull();
  });
});
