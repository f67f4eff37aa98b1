import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelHosts, responsesParameters } from '#libs/model-providers';
import { ScriptedProvider } from '../../../contract/model/scripted-provider.js';
import { ScriptedModel } from '../../../support/fakes/scripted-model.js';
import { openModel, type ModelOptions } from '../../../support/services/open-model.js';
import { CLAIM_OPTIONS } from '../../persistence/persistence-world.js';
import { WorkerWorld } from '../worker-world.js';
import { BY_CHARACTERS } from '../../../support/builders/counted-model.js';
import * as scenes from '../../../contract/model/scenes.js';

let world: WorkerWorld;
let provider: ScriptedProvider;
beforeAll(async () => {
  world = await WorkerWorld.open();
  provider = await ScriptedProvider.start();
  await world.offer([]);
});
afterAll(async () => {
  await provider.stop();
  await world.close();
});

const ANSWER = scenes.stream(scenes.text('Here I am.'), scenes.COMPLETED);
const NO_MODEL = new ScriptedModel([]);

function run(id: string, options: Partial<ModelOptions>, deadlineMs = CLAIM_OPTIONS.deadlineMs) {
  const model = openModel({
    apiKey: 'sk-1',
    baseUrl: provider.baseUrl,
    timeoutMs: 300_000,
    ...options,
  });
  return world.run(id, NO_MODEL, [], {
    models: {
      of: () => ({
        model,
        maxRetries: 1,
        prices: null,
        costOf: () => null,
        ...BY_CHARACTERS,
        parameters: responsesParameters,
      }),
    },
    claimOptions: () => ({ ...CLAIM_OPTIONS, deadlineMs }),
  });
}

describe('a model server that takes a call and never says a byte', () => {
  it('is given up in time to ask again, and the execution completes', async () => {
    provider.play(scenes.silence, ANSWER);
    const { id } = await world.submit();
    expect(await run(id, { firstByteMs: 1_000 })).toMatchObject({
      status: 'completed',
      attempt: 1,
      result: { message: { content: 'Here I am.' } },
    });
    expect(provider.requests).toHaveLength(2);
  });

  it('is given up sooner where little time is left, so that a retry fits', async () => {
    provider.play(scenes.silence, ANSWER);
    const { id } = await world.submit();
    expect(await run(id, { firstByteMs: 60_000 }, 5_000)).toMatchObject({ status: 'completed' });
  });
});

describe('an unreachable model host', () => {
  const standing = async (id: string) => {
    const [row]: unknown[] = await world.dataSource.query(
      `SELECT status, lost_attempts, due_at > now() + interval '4 seconds' AS waits, lease_owner,
              deadline_at - started_at < interval '1 hour' AS has_its_own_deadline
         FROM execution WHERE id = $1`,
      [id],
    );
    return row;
  };
  const makeDue = (id: string) =>
    world.dataSource.query('UPDATE execution SET due_at = now() WHERE id = $1', [id]);

  it('makes executions wait instead of failing them, and lets them go on when it answers', async () => {
    let now = 0;
    const hosts = new ModelHosts(() => now);
    provider.play(scenes.reset);
    for (const _tries of [2, 4]) {
      const { id } = await world.submit();
      expect(await run(id, { hosts })).toMatchObject({ status: 'failed', error: { code: 'SDK_ERROR' } });
    }
    const waiting = [await world.submit(), await world.submit()];
    for (const { id } of waiting) {
      expect(await run(id, { hosts })).toMatchObject({
        status: 'queued',
        attempt: 0,
        error: null,
        waiting_for: {
          kind: 'provider_backoff',
          name: 'sim-order-clerk',
          message: 'the host of the model does not answer',
        },
      });
      expect(await standing(id)).toEqual({
        status: 'queued',
        lost_attempts: 0,
        waits: true,
        lease_owner: null,
        has_its_own_deadline: true,
      });
      expect((await world.events.readAfter(id, 0, 100)).slice(-2)).toMatchObject([
        { event: 'waiting', data: { kind: 'provider_backoff' } },
        { event: 'status', data: { status: 'queued' } },
      ]);
    }
    // The fifth request is that of the first waiting execution and counts as no attempt; the second one sent no request.
    expect(provider.requests).toHaveLength(5);

    now = 5_000;
    provider.play(ANSWER);
    for (const { id } of waiting) {
      await makeDue(id);
      expect(await run(id, { hosts })).toMatchObject({ status: 'completed', attempt: 1, waiting_for: null });
    }
  });
});
