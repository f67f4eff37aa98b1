import type { CallDecision } from '#libs/executions';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookEndpointStore } from '#libs/persistence';
import { charging, ChargingWorld, model, RECEIPT, silent, UNKNOWN } from '../charging-world.js';

let world: ChargingWorld;
beforeAll(async () => {
  world = await ChargingWorld.open();
  const endpoint = { url: 'https://example.test/hook', events: ['execution.requires_action' as const] };
  await new WebhookEndpointStore(world.worker.dataSource).create('default', endpoint, () => 'sealed');
});
afterAll(() => world.worker.close());

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
async function journalled(id: string): Promise<{ kind: string }[]> {
  return world.worker.dataSource.query(
    `SELECT kind FROM journal_entry WHERE execution_id = $1 AND kind LIKE '%outcome%' ORDER BY sequence`,
    [id],
  );
}

describe('a tool that asks what became of a call', () => {
  it('parks its execution when it does not answer in time; event, view, webhook and audit say so', async () => {
    const tool = silent();
    const id = await world.submit(tool);
    const view = await world.run(id, tool);
    const calls = [{ call: '1.0', asks: 'outcome', tool_name: 'charge', tool_input: {} }];
    expect(view).toMatchObject({ status: 'requires_action', required_action: { calls } });
    expect(view.required_action?.calls[0]?.late_evidence).toEqual([]);
    expect((await world.worker.eventNames(id)).slice(-3)).toEqual(['outcome_required', 'waiting', 'status']);
    expect(await world.steps(id)).toMatchObject([{ status: 'outcome_unknown', output: null }]);
    const deliveries: { type: string; body: string }[] = await world.worker.dataSource.query(
      'SELECT type, body FROM webhook_delivery WHERE execution_id = $1',
      [id],
    );
    expect(deliveries.map((delivery) => delivery.type)).toEqual(['execution.requires_action']);
    expect(JSON.parse(deliveries[0]?.body ?? '')).toMatchObject({ data: { id, required_action: { calls } } });
  });

  it('goes on with the report of a person', async () => {
    const tool = silent();
    const id = await world.submit(tool);
    await world.run(id, tool);
    expect(await world.decide(id, happened('it is booked'))).toEqual({ kind: 'decided', isRunnable: true });
    const asked = model();
    expect(await world.run(id, tool, {}, asked)).toMatchObject({
      status: 'completed',
      required_action: null,
    });
    expect(asked.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'it is booked' });
    expect(await world.steps(id)).toMatchObject([
      { status: 'succeeded', output: { result: { message: 'it is booked', reported_by: 'person' } } },
    ]);
    expect(await journalled(id)).toEqual([{ kind: 'outcome_asked' }, { kind: 'outcome_reported' }]);
  });

  it('runs anew under the same call key when a person says that it did not happen', async () => {
    const keys: string[] = [];
    const tool = world.overtaken('ask', keys);
    const id = await world.submit(tool);
    expect(await world.run(id, tool)).toMatchObject({ status: 'requires_action', attempt: 2 });
    await world.decide(id, didNotHappen);
    expect(await world.run(id, tool)).toMatchObject({ status: 'completed', attempt: 3 });
    expect(keys).toEqual([`${id}.1.0`, `${id}.1.0`]);
    expect(await world.steps(id)).toMatchObject([{ status: 'succeeded', attempt: 3 }]);
  });

  it('fails visibly when no person answers in time', async () => {
    const tool = silent();
    const id = await world.submit(tool);
    await world.run(id, tool);
    await world.worker.dataSource.query(
      `UPDATE execution SET approval_expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await world.expire()).toBe(1);
    expect(await world.run(id, tool)).toMatchObject(UNKNOWN);
  });

  it('takes no approval for an answer, and changes nothing then', async () => {
    const tool = silent();
    const id = await world.submit(tool);
    await world.run(id, tool);
    const approved = { call: '1.0', approved: true, reason: '' };
    expect(await world.decide(id, approved)).toEqual({ kind: 'wrong_kind', calls: ['1.0'] });
    expect(await world.decide(id, { ...didNotHappen, call: '1.1' })).toEqual({
      kind: 'unknown_calls',
      calls: ['1.1'],
    });
    expect((await journalled(id)).map((entry) => entry.kind)).toEqual(['outcome_asked']);
  });

  it('takes no report for a call that an older release parked for approval', async () => {
    const tool = charging('ask', () => Promise.resolve(RECEIPT));
    await world.worker.offer([tool], { require_approval: ['charge'] });
    const { id } = await world.worker.submit();
    await world.run(id, tool);
    await world.worker.dataSource.query(
      `UPDATE execution SET pending_calls = '[{"call": "1.0", "tool_name": "charge", "tool_input": {}}]' WHERE id = $1`,
      [id],
    );
    const view = await world.worker.executions.find('default', id);
    expect(view?.required_action?.calls).toMatchObject([{ call: '1.0', asks: 'approval' }]);
    expect(await world.decide(id, happened(null))).toEqual({ kind: 'wrong_kind', calls: ['1.0'] });
    await world.decide(id, { call: '1.0', approved: true, reason: '' });
    expect(await world.run(id, tool)).toMatchObject({ status: 'completed' });
  });

  it('does not take for failed what a tool says when it is asked to stop', async () => {
    const stopped: Parameters<typeof charging>[1] = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      });
    const tool = charging('ask', stopped, 20);
    const id = await world.submit(tool);
    expect(await world.run(id, tool)).toMatchObject({ status: 'requires_action' });
    expect(await world.evidence(id)).toEqual([]);
  });
});
