import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelCallError, type ModelPort } from '#libs/agent-core';
import { responsesParameters } from '#libs/model-providers';
import { CancellationStore } from '#libs/persistence';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { WorkerWorld } from '../worker-world.js';
import { BY_CHARACTERS } from '../../../support/builders/counted-model.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.offer([]);
});
afterAll(() => world.close());

const answer = (text: string) => new SequenceModel([aModelAnswer({ text })]);

async function hasFacts(id: string): Promise<boolean> {
  const sql = `SELECT 1 FROM journal_entry WHERE execution_id = $1`;
  return (await world.dataSource.query<unknown[]>(sql, [id])).length > 0;
}

/** Usage rows as `<scope>/<purpose> <round>.<try> <state> <tokens> <cost> <5-minute cache>+<1-hour cache>`. */
async function billOf(id: string): Promise<string[]> {
  const rows = await world.dataSource.query<Record<string, string | null>[]>(
    `SELECT scope, purpose, round || '.' || try_number AS call, state, total_tokens, cost_usd,
            cache_creation_5m_tokens || '+' || cache_creation_1h_tokens AS caches
       FROM usage_log WHERE execution_id = $1 ORDER BY round, try_number`,
    [id],
  );
  return rows.map(
    ({ scope, purpose, call, state, total_tokens, cost_usd, caches }) =>
      `${scope}/${purpose} ${call} ${state} ${total_tokens} ${cost_usd} ${caches}`,
  );
}

/** A model that lets the lease expire during its call and runs `next`; its answer comes too late. */
function isLostWhileAsked(id: string, next: () => Promise<unknown>): ModelPort {
  return {
    call: async () => {
      await world.expireLease(id);
      await next();
      return aModelAnswer({ text: 'too late' });
    },
  };
}

const LOST = (call: string) => `/round ${call} unknown null null null`;
const KNOWN = (call: string) => `/round ${call} known 15 0.25 0+0`;

describe('the usage of an execution', () => {
  it('has a row for the call of a lost worker, without tokens, from any worker that takes over', async () => {
    const { id } = await world.submit();
    await world.run(
      id,
      isLostWhileAsked(id, () => world.run(id, answer('at last'))),
    );
    expect(await billOf(id)).toEqual([LOST('1.1'), KNOWN('1.2')]);
  });

  it('has one for each of them, however often that happens', async () => {
    const { id } = await world.submit();
    const third = () => world.run(id, answer('at last'));
    const second = () => world.run(id, isLostWhileAsked(id, third));
    await world.run(id, isLostWhileAsked(id, second));
    expect(await billOf(id)).toEqual([LOST('1.1'), LOST('1.2'), KNOWN('1.3')]);
  });

  it('has one also where the execution is given up instead, by an attempt that never gets as far as the loop', async () => {
    const { id } = await world.submit();
    const deactivated = async () => {
      await world.dataSource.query(`UPDATE llm SET is_active = false`);
      await world.run(id, answer('never'));
      await world.dataSource.query(`UPDATE llm SET is_active = true`);
    };
    await world.run(id, isLostWhileAsked(id, deactivated));
    expect(await world.executions.find('default', id)).toMatchObject({
      error: { code: 'INACTIVE_RESOURCE' },
      usage: { total_tokens: null, total_cost_usd: null, unknown_calls: 1 },
    });
    expect(await billOf(id)).toEqual([LOST('1.1')]);
  });

  it('has one also of what died in isolation, and is POISONED', async () => {
    const { id } = await world.submit();
    const poisoned = async () => {
      await world.dataSource.query(`UPDATE execution SET isolated_deaths = 2 WHERE id = $1`, [id]);
      await world.run(id, answer('never'));
    };
    await world.run(id, isLostWhileAsked(id, poisoned));
    expect(await world.executions.find('default', id)).toMatchObject({ error: { code: 'POISONED' } });
    expect(await billOf(id)).toEqual([LOST('1.1')]);
  });

  it('has a row of unknown cost for a worker that was lost while a repeatable tool ran, and none for one that released in order', async () => {
    let runs = 0;
    const look = async () => {
      runs += 1;
      if (runs === 1) {
        // While a read-only call runs, the model's answer is written in the background.
        await waitFor(() => hasFacts(id), { description: 'the answer of the model to be durable' });
        await world.expireLease(id);
        world.drain.abort();
        await world.run(id, answer('never'), tools);
        world.drain = new AbortController();
        await world.run(id, answer('done'), tools);
      }
      return { result: { status: 'success', result: { message: '' } } } as const;
    };
    const tools = [aTool('look', { effect: 'read', run: look })];
    await world.offer(tools);
    const { id } = await world.submit();
    await world.run(id, new SequenceModel([aModelAnswer({ toolCalls: [aCall('look', 'c1')] })]), tools);
    await world.offer([]);
    expect(await billOf(id)).toEqual([KNOWN('1.1'), LOST('2.1'), KNOWN('2.2')]);
  });

  it('has one of a call that was cancelled, and of each that failed', async () => {
    const cancelled = await world.submit();
    const cancellations = new CancellationStore(world.dataSource);
    const failing = new ModelCallError({ reason: 'rate_limited', message: 'x', retryable: true });
    let calls = 0;
    await world.run(cancelled.id, {
      call: async (_request, _onDelta, signal) => {
        calls += 1;
        if (calls === 1) throw failing;
        await cancellations.request('default', cancelled.id);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        });
      },
    });
    expect(await billOf(cancelled.id)).toEqual(['/round 1.1 failed null null null', LOST('1.2')]);
  });

  it('has the tokens of a failed call that was paid, of both caches, and no unknown price', async () => {
    const { id } = await world.submit();
    const usage = {
      input_tokens: 100,
      cached_input_tokens: 10,
      cache_creation_5m_tokens: 20,
      cache_creation_1h_tokens: 30,
      output_tokens: 7,
      reasoning_tokens: 0,
      total_tokens: 107,
    };
    const failing = new ModelCallError({
      reason: 'truncated_stream',
      message: 'x',
      retryable: true,
      spent: { responseId: 'r1', model: null, usage },
    });
    const model = new SequenceModel([failing, aModelAnswer({ text: 'done' })]);
    const resolved = {
      model,
      maxRetries: 1,
      prices: null,
      costOf: () => null,
      ...BY_CHARACTERS,
      parameters: responsesParameters,
    };
    const models = { of: () => resolved };
    const view = await world.run(id, model, [], { models });
    expect(view.usage).toMatchObject({ total_tokens: 122, total_cost_usd: null });
    expect(await billOf(id)).toEqual(['/round 1.1 failed 107 null 20+30', '/round 1.2 known 15 null 0+0']);
  });
});
