import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApprovalStore,
  CancellationStore,
  ExecutionClaimStore,
  ExecutionDispatchStore,
  WebhookEndpointStore,
  type CallDecision,
} from '#libs/persistence';
import { systemClock } from '#libs/kernel';
import type { OnUnknown, ToolDefinition, ToolReturn } from '#libs/tooling';
import { LeaseKeeper } from '../../../apps/worker/src/execute/lease-keeper.js';
import { aCall, aModelAnswer } from '../../support/builders/model-answer.js';
import { aTool } from '../../support/builders/tool.js';
import { InMemoryEventStream } from '../../support/fakes/in-memory-event-stream.js';
import { ScriptedModel } from '../../support/fakes/scripted-model.js';
import { waitFor } from '../../support/services/wait-for.js';
import { WorkerWorld } from './worker-world.js';

let world: WorkerWorld;
let approvals: ApprovalStore;
beforeAll(async () => {
  world = await WorkerWorld.open();
  approvals = new ApprovalStore(world.dataSource);
  const endpoint = { url: 'https://example.test/hook', events: ['execution.requires_action' as const] };
  await new WebhookEndpointStore(world.dataSource).create('default', endpoint, () => 'sealed');
});
afterAll(() => world.close());

const SCRIPT = [aModelAnswer({ toolCalls: [aCall('charge', 'c1')] }), aModelAnswer({ text: 'Done.' })];
const model = () => new ScriptedModel(SCRIPT);
const RECEIPT: ToolReturn = { result: { status: 'success', result: { message: 'receipt 17' } } };

type Run = (context: Parameters<ToolDefinition['run']>[1]) => Promise<ToolReturn>;

/** An unsafe tool that charges somebody. */
function charging(onUnknown: OnUnknown, run: Run, timeoutMs = 5_000): ToolDefinition {
  return aTool('charge', {
    effect: 'unsafe',
    onUnknown,
    timeoutMs,
    run: (_input, context) => run(context),
  });
}

/** Another worker takes over and comes through; live events are not what is tested, so they do not meet. */
async function takeOver(executionId: string, tool: ToolDefinition): Promise<void> {
  await world.expireLease(executionId);
  await world.run(executionId, model(), [tool], { events: new InMemoryEventStream() });
}

/** Its worker is overtaken by another one while the tool runs; the answer comes when that one is through. */
function overtaken(onUnknown: OnUnknown, keys: string[] = []): ToolDefinition {
  const tool = charging(onUnknown, async ({ executionId, callKey }) => {
    keys.push(callKey);
    if (keys.length > 1) return RECEIPT;
    await takeOver(executionId, tool);
    return RECEIPT;
  });
  return tool;
}

async function submit(tool: ToolDefinition): Promise<string> {
  await world.offer([tool]);
  return (await world.submit()).id;
}

const decide = (id: string, ...decisions: CallDecision[]) => approvals.decide('default', id, decisions);
const happened = (output: string | null): CallDecision => ({
  call: '1.0',
  report: { kind: 'happened', output },
  reason: '',
});
const didNotHappen: CallDecision = {
  call: '1.0',
  report: { kind: 'did_not_happen' },
  reason: 'looked it up',
};
const steps = (id: string) => world.executions.listRunSteps('default', id);
const evidence = async (id: string) => (await steps(id)).flatMap((step) => step.late_evidence);
const SEEN = { epoch: 1, status: 'succeeded', output: JSON.stringify(RECEIPT.result), error: null };
const UNKNOWN = { status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN' } };

async function journalled(id: string): Promise<{ kind: string; version: number }[]> {
  return world.dataSource.query(
    `SELECT kind, version FROM journal_entry WHERE execution_id = $1 AND kind LIKE '%outcome%' ORDER BY sequence`,
    [id],
  );
}

describe('a tool that asks what became of a call', () => {
  it('parks its execution when it does not answer in time; event, view, webhook and audit say so', async () => {
    const tool = charging('ask', () => new Promise(() => undefined), 20);
    const id = await submit(tool);
    const view = await world.run(id, model(), [tool]);
    const calls = [{ call: '1.0', asks: 'outcome', tool_name: 'charge', tool_input: {} }];
    expect(view).toMatchObject({ status: 'requires_action', required_action: { calls } });
    expect(view.required_action?.calls[0]?.late_evidence).toEqual([]);
    expect((await world.eventNames(id)).slice(-2)).toEqual(['outcome_required', 'status']);
    expect(await steps(id)).toMatchObject([{ status: 'outcome_unknown', output: null }]);
    const deliveries: { type: string; body: string }[] = await world.dataSource.query(
      'SELECT type, body FROM webhook_delivery WHERE execution_id = $1',
      [id],
    );
    expect(deliveries.map((delivery) => delivery.type)).toEqual(['execution.requires_action']);
    expect(JSON.parse(deliveries[0]?.body ?? '')).toMatchObject({ data: { id, required_action: { calls } } });
  });

  it('goes on with what a person says, and the journal says nothing new to an older release before that', async () => {
    const tool = charging('ask', () => new Promise(() => undefined), 20);
    const id = await submit(tool);
    await world.run(id, model(), [tool]);
    expect(await decide(id, happened('it is booked'))).toEqual({ kind: 'decided', isRunnable: true });
    const asked = model();
    expect(await world.run(id, asked, [tool])).toMatchObject({ status: 'completed', required_action: null });
    expect(asked.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'it is booked' });
    expect(await steps(id)).toMatchObject([
      { status: 'succeeded', output: { result: { message: 'it is booked', reported_by: 'person' } } },
    ]);
    expect(await journalled(id)).toEqual([
      { kind: 'outcome_asked', version: 2 },
      { kind: 'outcome_reported', version: 2 },
    ]);
    const others: object[] = await world.dataSource.query(
      `SELECT DISTINCT version FROM journal_entry WHERE execution_id = $1 AND kind NOT LIKE '%outcome%'`,
      [id],
    );
    expect(others).toEqual([{ version: 1 }]);
  });

  it('runs anew under the same call key when a person says that it did not happen', async () => {
    const keys: string[] = [];
    const tool = overtaken('ask', keys);
    const id = await submit(tool);
    expect(await world.run(id, model(), [tool])).toMatchObject({ status: 'requires_action', attempt: 2 });
    await decide(id, didNotHappen);
    expect(await world.run(id, model(), [tool])).toMatchObject({ status: 'completed', attempt: 3 });
    expect(keys).toEqual([`${id}.1.0`, `${id}.1.0`]);
    expect(await steps(id)).toMatchObject([{ status: 'succeeded', attempt: 3 }]);
  });

  it('fails visibly when nobody says anything in time', async () => {
    const tool = charging('ask', () => new Promise(() => undefined), 20);
    const id = await submit(tool);
    await world.run(id, model(), [tool]);
    await world.dataSource.query(
      `UPDATE execution SET approval_expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await approvals.expire('nobody decided in time')).toBe(1);
    expect(await world.run(id, model(), [tool])).toMatchObject(UNKNOWN);
  });

  it('takes no approval for an answer, and changes nothing then', async () => {
    const tool = charging('ask', () => new Promise(() => undefined), 20);
    const id = await submit(tool);
    await world.run(id, model(), [tool]);
    const approved = { call: '1.0', approved: true, reason: '' };
    expect(await decide(id, approved)).toEqual({ kind: 'wrong_kind', calls: ['1.0'] });
    expect(await decide(id, { ...didNotHappen, call: '1.1' })).toEqual({
      kind: 'unknown_calls',
      calls: ['1.1'],
    });
    expect((await journalled(id)).map((entry) => entry.kind)).toEqual(['outcome_asked']);
  });

  it('takes no report for a call that an older release parked for approval', async () => {
    const tool = charging('ask', () => Promise.resolve(RECEIPT));
    await world.offer([tool], { require_approval: ['charge'] });
    const { id } = await world.submit();
    await world.run(id, model(), [tool]);
    await world.dataSource.query(
      `UPDATE execution SET pending_calls = '[{"call": "1.0", "tool_name": "charge", "tool_input": {}}]' WHERE id = $1`,
      [id],
    );
    const view = await world.executions.find('default', id);
    expect(view?.required_action?.calls).toMatchObject([{ call: '1.0', asks: 'approval' }]);
    expect(await decide(id, happened(null))).toEqual({ kind: 'wrong_kind', calls: ['1.0'] });
    await decide(id, { call: '1.0', approved: true, reason: '' });
    expect(await world.run(id, model(), [tool])).toMatchObject({ status: 'completed' });
  });

  it('does not take for failed what a tool says when it is told to stop', async () => {
    const stopped: Run = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      });
    const tool = charging('ask', stopped, 20);
    const id = await submit(tool);
    expect(await world.run(id, model(), [tool])).toMatchObject({ status: 'requires_action' });
    expect(await evidence(id)).toEqual([]);
  });
});

describe('what an attempt saw that was overtaken', () => {
  it('is shown to the person who is asked, and decides nothing', async () => {
    const tool = overtaken('ask');
    const id = await submit(tool);
    const view = await world.run(id, model(), [tool]);
    expect(view).toMatchObject({ status: 'requires_action', attempt: 2 });
    const { error: _error, ...shown } = SEEN;
    expect(view.required_action?.calls).toMatchObject([{ call: '1.0', late_evidence: [shown] }]);
    expect(view.required_action?.calls[0]?.late_evidence?.[0]?.observed_at).toMatch(/^\d{4}-.*Z$/);
    expect(await steps(id)).toMatchObject([{ status: 'outcome_unknown', late_evidence: [SEEN] }]);
    await decide(id, { call: '1.0', report: { kind: 'unknown' }, reason: 'I do not believe it' });
    expect(await world.run(id, model(), [tool])).toMatchObject(UNKNOWN);
  });

  it.each(['halt', 'inform'] as const)('is in the audit where the tool says %s', async (onUnknown) => {
    const tool = overtaken(onUnknown);
    const id = await submit(tool);
    const view = await world.run(id, model(), [tool]);
    expect(view).toMatchObject(onUnknown === 'halt' ? UNKNOWN : { status: 'completed' });
    expect(view.required_action).toBeNull();
    expect(await steps(id)).toMatchObject([{ status: 'outcome_unknown', late_evidence: [SEEN] }]);
  });

  it('is kept of a call that threw too, its reason for the audit only', async () => {
    const tool: ToolDefinition = charging('ask', async ({ executionId }) => {
      await takeOver(executionId, tool);
      throw new Error('card declined');
    });
    const id = await submit(tool);
    const view = await world.run(id, model(), [tool]);
    expect(await evidence(id)).toMatchObject([{ status: 'failed', error: 'Error: card declined' }]);
    expect(JSON.stringify(view)).not.toContain('declined');
  });

  it('is cut off where it is long', async () => {
    const long = 'x'.repeat(60_000);
    const tool: ToolDefinition = charging('halt', async ({ executionId }) => {
      await takeOver(executionId, tool);
      return { result: { status: 'success', result: { message: long } } };
    });
    const id = await submit(tool);
    await world.run(id, model(), [tool]);
    const [seen] = await evidence(id);
    expect(Buffer.byteLength(seen?.output ?? '')).toBe(16_384);
  });

  it('is kept when its worker fences itself and the tool answers after all', async () => {
    const claims = new ExecutionClaimStore(world.dataSource);
    const cancellations = new CancellationStore(world.dataSource);
    const leases = new LeaseKeeper(claims, cancellations, 60_000, systemClock, () => undefined);
    let answer: (returned: ToolReturn) => void = () => undefined;
    const tool = charging('ask', () => {
      leases.fenceAll();
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    const id = await submit(tool);
    expect(await world.run(id, model(), [tool], { leases, events: new InMemoryEventStream() })).toMatchObject(
      { status: 'running' },
    );
    await world.expireLease(id);
    expect(await world.run(id, model(), [tool])).toMatchObject({ status: 'requires_action' });
    answer(RECEIPT);
    const seen = await waitFor(
      async () => {
        const found = await evidence(id);
        return found.length > 0 ? found : null;
      },
      { description: 'the late answer to be kept' },
    );
    expect(seen).toMatchObject([SEEN]);
    expect(await world.executions.find('default', id)).toMatchObject({
      status: 'requires_action',
      required_action: { calls: [{ late_evidence: [{ status: 'succeeded' }] }] },
    });
  });

  it('is kept when the tool answers after its time', async () => {
    let answer: (returned: ToolReturn) => void = () => undefined;
    const late = new Promise<ToolReturn>((resolve) => {
      answer = resolve;
    });
    const tool = charging('ask', () => late, 20);
    const id = await submit(tool);
    expect(await world.run(id, model(), [tool])).toMatchObject({ status: 'requires_action' });
    answer(RECEIPT);
    const seen = await waitFor(
      async () => {
        const found = await evidence(id);
        return found.length > 0 ? found : null;
      },
      { description: 'the late answer to be kept' },
    );
    expect(seen).toMatchObject([SEEN]);
  });
});

describe('a journal of a newer release', () => {
  it('is left to that release, however often it comes by, and is not poisoned by it', async () => {
    const tool = charging('ask', () => Promise.resolve(RECEIPT));
    const id = await submit(tool);
    await world.dataSource.query(
      `INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, version, kind, data)
       VALUES ($1, 1, 'default', 0, 3, 'tea_made', '{}')`,
      [id],
    );
    for (let attempt = 1; attempt <= 5; attempt += 1)
      expect(await world.run(id, model(), [tool])).toMatchObject({ status: 'queued', attempt });
    const [row]: object[] = await world.dataSource.query(
      'SELECT lost_attempts, lease_owner FROM execution WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ lost_attempts: 0, lease_owner: null });
    const dispatches = new ExecutionDispatchStore(world.dataSource);
    const options = { queueTarget: 100, tenantInFlightCap: 100 };
    const due = async (redispatchAfterMs: number) =>
      (await dispatches.take({ ...options, redispatchAfterMs })).map((sent) => sent.executionId);
    expect(await due(30_000)).not.toContain(id);
    expect(await due(0)).toContain(id);
    await world.dataSource.query('DELETE FROM journal_entry WHERE execution_id = $1', [id]);
    expect(await world.run(id, model(), [tool])).toMatchObject({ status: 'completed' });
  });
});
