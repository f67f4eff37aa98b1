import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ModelPort } from '#libs/agent-core';
import { CancellationStore, ExecutionClaimStore, ExecutionDispatchStore } from '#libs/persistence';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS } from '../../persistence/persistence-world.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
let cancellations: CancellationStore;
beforeAll(async () => {
  world = await WorkerWorld.open();
  cancellations = new CancellationStore(world.dataSource);
});
afterAll(() => world.close());

const answer = (text: string) => new SequenceModel([aModelAnswer({ text })]);
const CANCELLED = { status: 'cancelled', result: null, error: { code: 'CANCELLED' } };

/** A model that requests the cancellation of its execution when it is called, and never answers. */
const cancelsWhileAsked = (id: string): ModelPort => ({
  call: async (_request, onDelta, signal) => {
    onDelta({ kind: 'text', content: 'I was about to' });
    expect(await cancellations.request('default', id)).toEqual({ kind: 'requested' });
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('stopped'));
      });
    });
  },
});

describe('cancelling', () => {
  it('ends what never ran at once, reports it, and lets the next turn run', async () => {
    await world.offer([]);
    const { id, sessionId } = await world.submit();
    const next = await world.submit({ sessionId });
    expect(await cancellations.request('default', id)).toEqual({ kind: 'cancelled' });
    expect(await world.run(id, answer('never'))).toMatchObject({ ...CANCELLED, attempt: 0 });
    expect(await world.run(next.id, answer('next'))).toMatchObject({ status: 'completed' });
  });

  it('gives up the model call of a running one and leaves the conversation as it was', async () => {
    await world.offer([]);
    const { id, sessionId } = await world.submit();
    expect(await world.run(id, cancelsWhileAsked(id))).toMatchObject(CANCELLED);
    expect(await world.messagesOf(sessionId)).toEqual([]);
    expect((await world.eventNames(id)).at(-1)).toBe('result');
  });

  it('starts no tool any more, and records what was spent', async () => {
    const tools = [
      aTool('look', {
        run: async () => {
          await cancellations.request('default', id);
          return new Promise(() => undefined);
        },
      }),
      aTool('charge', { effect: 'unsafe' }),
    ];
    await world.offer(tools);
    const { id } = await world.submit();
    const asks = aModelAnswer({ toolCalls: [aCall('look', 'c1'), aCall('charge', 'c2')] });
    expect(await world.run(id, new SequenceModel([asks]), tools)).toMatchObject({
      ...CANCELLED,
      usage: { total_tokens: 15 },
    });
    const steps = await world.stepsOf(id);
    expect(steps.map((step) => step.status)).toEqual(['refused', 'refused']);
  });

  it('changes nothing of what has ended, and nothing of another tenant', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    expect(await cancellations.request('other', id)).toEqual({ kind: 'not_found' });
    await world.run(id, answer('done'));
    expect(await cancellations.request('default', id)).toEqual({ kind: 'settled_before' });
    expect(await world.executions.find('default', id)).toMatchObject({ status: 'completed' });
  });

  it('does not wait with what waits for a better time', async () => {
    await world.offer([]);
    const { id } = await world.submit();
    const claims = new ExecutionClaimStore(world.dataSource);
    const claimed = await claims.claim(id, CLAIM_OPTIONS);
    if (claimed.kind !== 'claimed') throw new Error('expected a claim');
    await claims.requeueWithBackoff(claimed.claim);
    const dispatches = new ExecutionDispatchStore(world.dataSource);
    expect(await dispatches.take(DISPATCH_OPTIONS)).toEqual([]);
    expect(await cancellations.request('default', id)).toEqual({ kind: 'requested' });
    expect(await dispatches.take(DISPATCH_OPTIONS)).toEqual([{ executionId: id }]);
    expect(await world.run(id, answer('never'))).toMatchObject(CANCELLED);
  });

  it('ends what waits for a person', async () => {
    const tools = [aTool('charge', { effect: 'unsafe' })];
    await world.offer(tools, { require_approval: ['charge'] });
    const { id } = await world.submit();
    const asks = aModelAnswer({ toolCalls: [aCall('charge', 'c1')] });
    expect(await world.run(id, new SequenceModel([asks]), tools)).toMatchObject({
      status: 'requires_action',
    });
    expect(await cancellations.request('default', id)).toEqual({ kind: 'requested' });
    expect(await world.run(id, answer('never'), tools)).toMatchObject({
      ...CANCELLED,
      required_action: null,
    });
  });

  it('ends what cannot be run any more as cancelled, not by what is wrong with it', async () => {
    await world.offer([]);
    const [cancelled, other] = [await world.submit(), await world.submit()];
    const claims = new ExecutionClaimStore(world.dataSource);
    for (const { id } of [cancelled, other]) {
      const claimed = await claims.claim(id, CLAIM_OPTIONS);
      if (claimed.kind !== 'claimed') throw new Error('expected a claim');
      await claims.release(claimed.claim);
    }
    expect(await cancellations.request('default', cancelled.id)).toEqual({ kind: 'requested' });
    await world.dataSource.query('UPDATE agent SET is_active = false');
    try {
      expect(await world.run(cancelled.id, answer('never'))).toMatchObject(CANCELLED);
      expect(await world.run(other.id, answer('never'))).toMatchObject({
        status: 'failed',
        error: { code: 'INACTIVE_RESOURCE' },
      });
    } finally {
      await world.dataSource.query('UPDATE agent SET is_active = true');
    }
    const kinds = await world.dataSource.query<{ kind: string }[]>(
      'SELECT kind FROM journal_entry WHERE execution_id = $1 ORDER BY sequence',
      [cancelled.id],
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['cancellation_requested', 'execution_settled']);
  });
});
