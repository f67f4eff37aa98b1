import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ApprovalStore, ExecutionClaimStore, WebhookEndpointStore } from '#libs/persistence';
import type { ToolDefinition, ToolEffect } from '#libs/tooling';
import { aTool } from '../../support/builders/tool.js';
import { CLAIM_OPTIONS } from '../persistence/persistence-world.js';
import { messageSequence } from './message-sequence.js';
import { StrategyWorld, type ScriptedRun } from './strategy-world.js';

let world: StrategyWorld;
let approvals: ApprovalStore;
beforeAll(async () => {
  world = await StrategyWorld.open();
  approvals = new ApprovalStore(world.worker.dataSource);
  const endpoint = { url: 'https://example.test/hook', events: ['execution.requires_action' as const] };
  await new WebhookEndpointStore(world.worker.dataSource).create('default', endpoint, () => 'sealed');
});
afterAll(() => world.close());

let charges: string[] = [];
afterEach(() => {
  charges = [];
});

/** A tool that needs approval and records its runs in `charges`. */
function asking(name: string, effect: ToolEffect = 'idempotent', run?: () => Promise<void>): ToolDefinition {
  const charge = async () => {
    charges.push(name);
    await run?.();
    return { result: { status: 'success' as const, result: { message: `${name} done` } } };
  };
  return { ...aTool(name, { effect, run: charge }), approval: 'always' };
}

const CHARGE = asking('charge');
const TOOLS = [CHARGE, asking('refund'), aTool('look')];
const calling = (...names: string[]): ScriptedRun => ({
  answers: [{ text: 'I ask.', calls: names.map((name) => ({ name })) }, { text: 'Done.' }],
});
const ANN = { keyId: 'k1', person: 'ann@example.com' };
const yes = (call: string) => ({ call, approved: true, reason: '' });
const no = (call: string, reason: string) => ({ call, approved: false, reason });

/** Submits a run and attempts it until its calls wait for a person's approval. */
async function park(run: ScriptedRun, tools: readonly ToolDefinition[] = TOOLS): Promise<string> {
  const { id } = await world.submit(run, tools);
  expect(await world.attempt(id, tools)).toMatchObject({ status: 'requires_action' });
  return id;
}

const decide = (id: string, ...decisions: ReturnType<typeof no>[]) =>
  approvals.decide('default', id, decisions, ANN);

async function waitingRow(id: string) {
  const [row] = await world.rows<{ status: string; deadline_at: Date | null; facts: number }>(
    `SELECT status, deadline_at, (SELECT count(*)::int FROM journal_entry WHERE execution_id = e.id) AS facts
       FROM execution e WHERE id = $1`,
    id,
  );
  return row;
}

/** Runs the next attempt; returns its view and the tool outputs in the model's last request. */
async function finish(id: string, tools: readonly ToolDefinition[] = TOOLS) {
  const model = world.model();
  const view = await world.attempt(id, tools, model);
  const outputs = (model.requests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? [message.content] : [],
  );
  return { view, outputs };
}

describe('a call that a person has to agree to', () => {
  it('parks its execution, runs nothing, and says in event, view and webhook which call waits', async () => {
    const id = await park(calling('charge'));
    expect(charges).toEqual([]);
    const calls = [{ call: '1.0', asks: 'approval', tool_name: 'charge', tool_input: {} }];
    expect((await world.worker.executions.find('default', id))?.required_action?.calls).toEqual(calls);
    expect(messageSequence(world.worker.events.events(id)).slice(-3)).toEqual([
      'approval 1.0 charge',
      'waiting for approval',
      'status requires_action',
    ]);
    const [delivery] = await world.rows<{ type: string; body: string }>(
      'SELECT type, body FROM webhook_delivery WHERE execution_id = $1',
      id,
    );
    expect(delivery?.type).toBe('execution.requires_action');
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ data: { id, required_action: { calls } } });
  });

  it('runs once when it is approved, and the run is reported to its end (S0-8, S0-13)', async () => {
    const id = await park(calling('look', 'charge'));
    expect(await decide(id, yes('1.1'))).toEqual({ kind: 'decided', isRunnable: true });
    const { view, outputs } = await finish(id);
    expect(view).toMatchObject({ status: 'completed', attempt: 2, required_action: null });
    expect(charges).toEqual(['charge']);
    expect(outputs.map((output) => JSON.parse(output) as unknown)).toMatchObject([
      { result: { message: 'look done' } },
      { result: { message: 'charge done' } },
    ]);
    const events = world.worker.events.events(id);
    expect(messageSequence(events).slice(-19)).toEqual([
      'approval 1.1 charge',
      'waiting for approval',
      'status requires_action',
      'waiting for nothing',
      'status running',
      'restarted attempt 2 round 2',
      'approved 1.1',
      'start CALL charge in ROUND 1',
      'use charge {}',
      'result charge {"status":"success","result":{}}',
      'success CALL charge in ROUND 1',
      'text 1 "\\n"',
      'success ROUND 1',
      'start ROUND 2',
      'start sim-script Thought in ROUND 2',
      'text 2 "Done."',
      'success sim-script Thought in ROUND 2',
      'success ROUND 2',
      'completed "Done."',
    ]);
    const ended = events.flatMap((event) => (event.event === 'log' ? [event.data] : []));
    const round = ended.find((log) => log.label === 'ROUND 1' && log.status === 'success');
    expect(round?.data).toMatchObject({
      output: { tool_responses: [{ tool_call_name: 'look' }, { tool_call_name: 'charge' }] },
    });
  });

  it('does not run when it is refused: the model reads why and goes on (S0-34)', async () => {
    const id = await park(calling('charge'));
    await decide(id, no('1.0', 'too expensive'));
    const { view, outputs } = await finish(id);
    expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'Done.' } } });
    expect(outputs).toEqual(['a person refused this call: too expensive']);
    expect(charges).toEqual([]);
    expect(await world.worker.stepsOf(id)).toMatchObject([{ status: 'refused' }]);
  });

  it('waits on until every call of the round is decided', async () => {
    const id = await park(calling('charge', 'refund'));
    expect(await decide(id, yes('1.0'))).toEqual({ kind: 'decided', isRunnable: false });
    expect(await world.attempt(id, TOOLS)).toMatchObject({
      status: 'requires_action',
      attempt: 1,
      required_action: { calls: [{ call: '1.1' }] },
    });
    expect(charges).toEqual([]);
    expect(await decide(id, no('1.1', ''))).toEqual({ kind: 'decided', isRunnable: true });
    const { view, outputs } = await finish(id);
    expect(view.status).toBe('completed');
    expect(charges).toEqual(['charge']);
    expect(outputs[1]).toBe('a person refused this call');
  });

  it('changes nothing for decisions that name unknown, decided or doubled calls', async () => {
    const id = await park(calling('charge', 'refund'));
    await decide(id, yes('1.0'));
    const before = await waitingRow(id);
    for (const [kind, decisions, calls] of [
      ['unknown_calls', [yes('9.9'), yes('1.1')], ['9.9']],
      ['decided_otherwise', [no('1.0', 'changed my mind')], ['1.0']],
      ['unknown_calls', [yes('1.1'), no('1.1', '')], ['1.1']],
    ] as const) {
      expect(await decide(id, ...decisions)).toEqual({ kind, calls });
    }
    expect(await approvals.decide('other', id, [yes('1.1')], ANN)).toEqual({ kind: 'not_found' });
    expect(await waitingRow(id)).toEqual(before);
    await decide(id, yes('1.1'));
    expect(await decide(id, yes('1.1'))).toEqual({ kind: 'decided', isRunnable: true });
    expect(await decide(id, yes('2.0'))).toEqual({ kind: 'not_waiting' });
    expect((await finish(id)).view.status).toBe('completed');
    expect(charges.toSorted()).toEqual(['charge', 'refund']);
  });

  it('is kept with who decided, when and why, in event and audit', async () => {
    const id = await park(calling('charge', 'refund'));
    await decide(id, yes('1.0'), no('1.1', 'too expensive'));
    await finish(id);
    const by = {
      decided_by: { key_id: 'k1', person: 'ann@example.com' },
      decided_at: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    const decided = world.worker.events
      .events(id)
      .flatMap((event) => (event.event === 'approval_decided' ? [event.data] : []));
    expect(decided).toEqual([
      { call: '1.0', approved: true, reason: '', ...by },
      { call: '1.1', approved: false, reason: 'too expensive', ...by },
    ]);
    const steps = await world.worker.stepsOf(id);
    expect(steps.map(({ decisions }) => decisions)).toEqual([
      [{ asked: 'approval', approved: true, outcome: null, reason: '', ...by }],
      [{ asked: 'approval', approved: false, outcome: null, reason: 'too expensive', ...by }],
    ]);
  });

  it('is refused when no person decides in time', async () => {
    const id = await park(calling('charge'));
    expect(await approvals.expire('nobody decided in time')).toBe(0);
    await world.rows(
      `UPDATE execution SET approval_expires_at = now() - interval '1 second' WHERE id = $1`,
      id,
    );
    expect(await approvals.expire('nobody decided in time')).toBe(1);
    const [expiry] = await world.rows(
      `SELECT approval_expired_at > now() - interval '1 minute' AS is_kept FROM execution WHERE id = $1`,
      id,
    );
    expect(expiry).toEqual({ is_kept: true });
    const { view, outputs } = await finish(id);
    expect(view.status).toBe('completed');
    expect(outputs).toEqual(['a person refused this call: nobody decided in time']);
    expect(await world.worker.stepsOf(id)).toMatchObject([
      { decisions: [{ approved: false, reason: 'nobody decided in time', decided_by: null }] },
    ]);
    expect(charges).toEqual([]);
  });

  it('does not use up the time of its execution while it waits', async () => {
    const id = await park(calling('charge'));
    expect((await waitingRow(id))?.deadline_at).toBeNull();
    await world.rows(
      `UPDATE execution SET created_at = created_at - interval '1 day', started_at = started_at - interval '1 day'
        WHERE id = $1`,
      id,
    );
    await decide(id, yes('1.0'));
    expect((await finish(id)).view).toMatchObject({ status: 'completed' });
  });

  it('is not lost when the worker dies that was to go on', async () => {
    const id = await park(calling('charge'));
    await decide(id, yes('1.0'));
    const dying = { ...CLAIM_OPTIONS, workerId: 'dying' };
    const claimed = await new ExecutionClaimStore(world.worker.dataSource).claim(id, dying);
    expect(claimed.kind).toBe('claimed');
    await world.worker.expireLease(id);
    expect((await finish(id)).view).toMatchObject({ status: 'completed', attempt: 3 });
    expect(charges).toEqual(['charge']);
  });

  it.each([
    { effect: 'idempotent' as const, status: 'completed', runs: 2 },
    { effect: 'unsafe' as const, status: 'failed', runs: 1 },
  ])(
    'runs $runs time(s) and ends $status when the worker dies in the middle of an $effect call, without being asked for again',
    async ({ effect, status, runs }) => {
      const taking = asking('charge', effect, async () => {
        if (charges.length > 1) return;
        await world.worker.expireLease(id);
        await world.attempt(id, [taking]);
      });
      const id = await park(calling('charge'), [taking]);
      await decide(id, yes('1.0'));
      expect((await finish(id, [taking])).view).toMatchObject({ status, attempt: 3 });
      expect(charges).toHaveLength(runs);
      const asked = world.worker.events.events(id).filter((event) => event.event === 'approval_required');
      expect(asked).toHaveLength(1);
    },
  );
});
