import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelCallError } from '#libs/agent-core';
import { TimelineStore, WebhookEndpointStore, type TimelineEntry } from '#libs/persistence';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import type { ToolDefinition } from '#libs/tooling';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { charging, ChargingWorld, RECEIPT, silent } from '../charging-world.js';

let world: ChargingWorld;
let timelines: TimelineStore;
beforeAll(async () => {
  world = await ChargingWorld.open();
  timelines = new TimelineStore(world.worker.dataSource);
  const endpoint = { url: 'https://example.test/hook', events: ['execution.completed' as const] };
  await new WebhookEndpointStore(world.worker.dataSource).create('default', endpoint, () => 'sealed');
});
afterAll(() => world.worker.close());

/** All entries, in pages of this length. */
async function entriesOf(id: string, limit = 100): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  let after;
  let page;
  do {
    page = await timelines.list('default', id, { after, limit });
    entries.push(...(page?.rows ?? []).map(({ entry }) => entry));
    after = page?.rows.at(-1)?.place;
  } while (page?.hasMore);
  return entries;
}

const kindsOf = (entries: readonly TimelineEntry[]): string[] =>
  entries.map(({ kind, status }) => `${kind} ${status}`);
const find = <Kind extends TimelineEntry['kind']>(entries: readonly TimelineEntry[], kind: Kind) =>
  entries.filter((entry): entry is Extract<TimelineEntry, { kind: Kind }> => entry.kind === kind);

describe('the timeline of an execution', () => {
  it('has its attempt, calls of models with tokens and cost, calls of tools, and webhooks', async () => {
    const tool = charging('halt', () => Promise.resolve(RECEIPT));
    const id = await world.submit(tool);
    await world.run(id, tool);

    const entries = await entriesOf(id);

    expect(kindsOf(entries)).toEqual([
      'wait over',
      'attempt ended',
      'model_call succeeded',
      'tool_call succeeded',
      'model_call succeeded',
      'webhook_delivery pending',
    ]);
    expect(find(entries, 'attempt')).toMatchObject([
      { id: 'attempt-1', number: 1, worker: 'w1', end_reason: 'completed', finished_at: expect.any(String) },
    ]);
    const [first, second] = find(entries, 'model_call');
    expect(first).toMatchObject({
      round: 1,
      try_number: 1,
      purpose: 'round',
      parent_id: null,
      cost_usd: '0.25',
    });
    expect(second).toMatchObject({ round: 2, output_tokens: expect.any(Number) });
    const call = {
      id: 'tool_call-1.0',
      parent_id: first?.id,
      tool_name: 'charge',
      effect: 'unsafe',
      attempt: 1,
    };
    expect(find(entries, 'tool_call')).toMatchObject([call]);
    for (const { started_at, finished_at } of entries.slice(1, 5))
      expect(Date.parse(finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(started_at ?? ''));
    expect(JSON.stringify(entries)).not.toContain('receipt 17');
  });

  it('is the same in pages of any length', async () => {
    const tool = charging('halt', () => Promise.resolve(RECEIPT));
    const id = await world.submit(tool);
    await world.run(id, tool);
    const whole = await entriesOf(id);

    for (const limit of [1, 2, 3, 5]) expect(await entriesOf(id, limit)).toEqual(whole);
  });

  it('says which attempt was lost, and what a person has said of its call', async () => {
    const tool = world.overtaken('ask');
    const id = await world.submit(tool);
    await world.run(id, tool);

    const parked = await entriesOf(id);
    await world.decide(id, { call: '1.0', report: { kind: 'happened', output: null }, reason: '' });
    await world.run(id, tool);
    const entries = await entriesOf(id);

    expect(kindsOf(parked).slice(-3)).toEqual(['attempt ended', 'approval pending', 'wait waiting']);
    expect(find(parked, 'attempt').map((attempt) => attempt.end_reason)).toEqual(['lost', 'parked']);
    expect(find(parked, 'approval')).toMatchObject([
      { asks: 'outcome', decision: null, parent_id: 'tool_call-1.0', expires_at: expect.any(String) },
    ]);
    expect(find(parked, 'wait').at(-1)).toMatchObject({
      reason: 'outcome',
      name: 'charge',
      finished_at: null,
    });
    expect(find(entries, 'attempt').map((attempt) => attempt.end_reason)).toEqual([
      'lost',
      'parked',
      'completed',
    ]);
    expect(find(entries, 'approval')).toMatchObject([
      { status: 'decided', decision: 'happened', expires_at: null, finished_at: expect.any(String) },
    ]);
    expect(await entriesOf(id, 1)).toEqual(entries);
  });

  it('says who has agreed to a call', async () => {
    const tool: ToolDefinition = { ...charging('halt', () => Promise.resolve(RECEIPT)), approval: 'always' };
    const id = await world.submit(tool);
    await world.run(id, tool);
    await world.decide(id, { call: '1.0', approved: false, reason: 'no' });
    await world.run(id, tool);

    const entries = await entriesOf(id);

    expect(find(entries, 'approval')).toMatchObject([
      { asks: 'approval', decision: 'refused', decided_by: null },
    ]);
    expect(find(entries, 'tool_call')).toMatchObject([{ status: 'refused', effect: null }]);
  });

  it('shows each try of a model, and a call that has not begun', async () => {
    const tool = silent();
    const id = await world.submit(tool);
    const busy = new ModelCallError({ reason: 'server_error', message: 'busy', retryable: true });
    const asks = aModelAnswer({ toolCalls: [aCall('charge', 'c1'), aCall('charge', 'c2')] });
    const model = new SequenceModel([busy, asks]);
    await world.run(id, tool, {}, model);

    const entries = await entriesOf(id);

    expect(find(entries, 'model_call').map(({ status, try_number }) => [status, try_number])).toEqual([
      ['failed', 1],
      ['succeeded', 2],
    ]);
    expect(find(entries, 'tool_call').map(({ status }) => status)).toEqual(['outcome_unknown', 'requested']);
  });

  it('begins with the wait for the execution before it in its session', async () => {
    const tool = charging('halt', () => Promise.resolve(RECEIPT));
    const id = await world.submit(tool);
    const [session] = await world.query<{ session_id: string }>(
      'SELECT session_id FROM execution WHERE id = $1',
      id,
    );
    const { id: second } = await world.worker.submit({ sessionId: session?.session_id ?? '' });

    expect(await entriesOf(second)).toMatchObject([
      { id: 'wait-conversation', status: 'waiting', kind: 'wait' },
    ]);
    await world.run(id, tool);
    await world.run(second, tool);
    expect(find(await entriesOf(second), 'wait')).toMatchObject([
      { id: 'wait-conversation', status: 'over' },
      { id: 'wait-slot', status: 'over' },
    ]);
  });

  it('answers 404 in another tenant', async () => {
    const id = await world.submit(silent());
    expect(await timelines.list('other', id, { limit: 10 })).toBeNull();
  });
});
