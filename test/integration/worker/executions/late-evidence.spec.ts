import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ToolDefinition, ToolReturn } from '#libs/tooling';
import { InMemoryEventStream } from '../../../support/fakes/in-memory-event-stream.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { charging, ChargingWorld, RECEIPT, UNKNOWN } from '../charging-world.js';

let world: ChargingWorld;
beforeAll(async () => {
  world = await ChargingWorld.open();
});
afterAll(() => world.worker.close());

const SEEN = { epoch: 1, status: 'succeeded', output: JSON.stringify(RECEIPT.result), error: null };

describe('late evidence of an attempt that lost its lease', () => {
  it('is shown to the person who is asked, and decides nothing', async () => {
    const tool = world.overtaken('ask');
    const id = await world.submit(tool);
    const view = await world.run(id, tool);
    expect(view).toMatchObject({ status: 'requires_action', attempt: 2 });
    const { error: _error, ...shown } = SEEN;
    expect(view.required_action?.calls).toMatchObject([{ call: '1.0', late_evidence: [shown] }]);
    expect(view.required_action?.calls[0]?.late_evidence?.[0]?.observed_at).toMatch(/^\d{4}-.*Z$/);
    expect(await world.steps(id)).toMatchObject([{ status: 'outcome_unknown', late_evidence: [SEEN] }]);
    await world.decide(id, { call: '1.0', report: { kind: 'unknown' }, reason: 'I do not believe it' });
    expect(await world.run(id, tool)).toMatchObject(UNKNOWN);
  });

  it.each(['halt', 'inform'] as const)('is in the audit where the tool says %s', async (onUnknown) => {
    const tool = world.overtaken(onUnknown);
    const id = await world.submit(tool);
    const view = await world.run(id, tool);
    expect(view).toMatchObject(onUnknown === 'halt' ? UNKNOWN : { status: 'completed' });
    expect(view.required_action).toBeNull();
    expect(await world.steps(id)).toMatchObject([{ status: 'outcome_unknown', late_evidence: [SEEN] }]);
  });

  it('is kept of a call that threw too, its reason for the audit only', async () => {
    const tool: ToolDefinition = charging('ask', async ({ executionId }) => {
      await world.takeOver(executionId, tool);
      throw new Error('card declined');
    });
    const id = await world.submit(tool);
    const view = await world.run(id, tool);
    expect(await world.evidence(id)).toMatchObject([{ status: 'failed', error: 'Error: card declined' }]);
    expect(JSON.stringify(view)).not.toContain('declined');
  });

  it('is cut off where it is long', async () => {
    const long = 'x'.repeat(60_000);
    const tool: ToolDefinition = charging('halt', async ({ executionId }) => {
      await world.takeOver(executionId, tool);
      return { result: { status: 'success', result: { message: long } } };
    });
    const id = await world.submit(tool);
    await world.run(id, tool);
    const [seen] = await world.evidence(id);
    expect(Buffer.byteLength(seen?.output ?? '')).toBe(16_384);
  });

  it('is kept when its worker fences itself and the tool answers after all', async () => {
    const leases = world.worker.makeLeases();
    let answer: (returned: ToolReturn) => void = () => undefined;
    const tool = charging('ask', () => {
      leases.fenceAll();
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    const id = await world.submit(tool);
    expect(await world.run(id, tool, { leases, events: new InMemoryEventStream() })).toMatchObject({
      status: 'queued',
    });
    await world.worker.expireLease(id);
    expect(await world.run(id, tool)).toMatchObject({ status: 'requires_action' });
    answer(RECEIPT);
    const seen = await waitFor(
      async () => {
        const found = await world.evidence(id);
        return found.length > 0 ? found : null;
      },
      { description: 'the late answer to be kept' },
    );
    expect(seen).toMatchObject([SEEN]);
    expect(await world.worker.executions.find('default', id)).toMatchObject({
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
    const id = await world.submit(tool);
    expect(await world.run(id, tool)).toMatchObject({ status: 'requires_action' });
    answer(RECEIPT);
    const seen = await waitFor(
      async () => {
        const found = await world.evidence(id);
        return found.length > 0 ? found : null;
      },
      { description: 'the late answer to be kept' },
    );
    expect(seen).toMatchObject([SEEN]);
  });
});
