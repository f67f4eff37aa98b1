import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../../test/support/builders/model-answer.js';
import { WorkerDied } from '../../../../test/support/fakes/in-memory-journal.js';
import { LoopWorld, rulesOf } from '../../../../test/support/fakes/loop-world.js';
import { SequenceModel } from '../../../../test/support/fakes/scripted-model.js';
import type { ModelAnswer } from '../journal-entry.js';
import type { LoopPorts } from '../effects/loop-ports.js';
import type { LoopRules } from '../loop-rules.js';
import { ModelCallError } from '../ports/model-call-error.js';
import { ModelHostUnavailableError } from '../ports/model-host-unavailable-error.js';
import type { FallbackModel } from '../ports/fallback-models.js';
import { runAgentLoop } from '../run-agent-loop.js';

const context = anExecutionContext();
const RULES: Partial<LoopRules> = { fallbacks: { llms: [7, 9], rateLimitMs: 30_000 }, costOf: () => '1' };
const done = aModelAnswer({ text: 'done', model: 'second' });
const completed = { kind: 'settled', outcome: { status: 'completed', text: 'done' } };

const failed = (changes: Partial<ConstructorParameters<typeof ModelCallError>[0]> = {}): ModelCallError =>
  new ModelCallError({ reason: 'server_error', message: 'down', retryable: true, ...changes });
const away = (): ModelHostUnavailableError => new ModelHostUnavailableError(5_000);

/** Fallback 7 does not exist; 9 gives these answers at a price of two dollars for each part. */
function fallbackOf(answers: (ModelAnswer | Error)[]): {
  second: SequenceModel;
  find: Find;
  asked: number[];
} {
  const second = new SequenceModel(answers);
  const asked: number[] = [];
  const found: FallbackModel = {
    ...{ llmId: 9, name: 'second', model: second, parameters: { temperature: 0.5 }, costOf: () => '2' },
  };
  const find: Find = (llmId) => {
    asked.push(llmId);
    return Promise.resolve(llmId === 9 ? found : null);
  };
  return { second, find, asked };
}
type Find = (llmId: number) => Promise<FallbackModel | null>;

const withFallbacks = (world: LoopWorld, find: Find): LoopPorts => ({ ...world.ports, fallbacks: { find } });

describe('an execution with fallbacks', () => {
  it('goes on with the first usable one when the retries of its model are used up', async () => {
    const world = new LoopWorld(new SequenceModel([failed(), failed()]));
    const { second, find, asked } = fallbackOf([done]);

    const result = await runAgentLoop(context, rulesOf(RULES), withFallbacks(world, find), world.signals);

    expect(result).toMatchObject(completed);
    expect(new Set(asked)).toEqual(new Set([7, 9]));
    expect(second.requests).toMatchObject([{ model: 'second', parameters: { temperature: 0.5 } }]);
    expect(world.journal.entries.map(({ kind }) => kind)).toEqual([
      ...['model_call_failed', 'model_call_failed', 'model_switched'],
      ...['model_call_completed', 'execution_settled'],
    ]);
    expect(world.journal.entries[2]).toEqual({
      ...{ kind: 'model_switched', round: 1, reason: 'unavailable' },
      ...{ to: { llmId: 9, model: 'second' }, unusable: [7] },
    });
    expect(world.events.events).toContainEqual({
      event: 'model_switched',
      data: { round: 1, from: context.model, model: 'second', reason: 'unavailable' },
    });
    expect(world.journal.settlements[0]?.usage).toMatchObject([
      { model: context.model, state: 'failed', tryNumber: 1 },
      { model: context.model, state: 'failed', tryNumber: 2 },
      { model: 'second', state: 'known', tryNumber: 3, costUsd: '4' },
    ]);
  });

  it('asks one at once for a long rate limit, and waits for a short one', async () => {
    const limited = (retryAfterMs: number) => failed({ reason: 'rate_limited', retryAfterMs });
    const long = new LoopWorld(new SequenceModel([limited(30_001)]));
    const { find } = fallbackOf([done]);
    expect(
      await runAgentLoop(context, rulesOf(RULES), withFallbacks(long, find), long.signals),
    ).toMatchObject(completed);
    expect(long.waits).toEqual([]);

    const short = new LoopWorld(new SequenceModel([limited(30_000), done]));
    const { second, find: findNone } = fallbackOf([]);
    expect(
      await runAgentLoop(context, rulesOf(RULES), withFallbacks(short, findNone), short.signals),
    ).toMatchObject(completed);
    expect([short.waits, second.requests]).toEqual([[30_000], []]);
  });

  it('asks one at once while the host of its model is not asked, and waits in the queue without a usable one', async () => {
    const world = new LoopWorld(new SequenceModel([away()]));
    const { find } = fallbackOf([done]);
    expect(
      await runAgentLoop(context, rulesOf(RULES), withFallbacks(world, find), world.signals),
    ).toMatchObject(completed);

    const alone = new LoopWorld(new SequenceModel([away()]));
    const none: Find = () => Promise.resolve(null);
    await expect(
      runAgentLoop(context, rulesOf(RULES), withFallbacks(alone, none), alone.signals),
    ).rejects.toBeInstanceOf(ModelHostUnavailableError);
  });

  it.each([
    ['a request that is not valid', failed({ reason: 'invalid_request', retryable: false })],
    ['a key that is not valid', failed({ reason: 'invalid_credentials', retryable: false })],
  ])('fails for %s, and asks no other', async (_name, error) => {
    const world = new LoopWorld(new SequenceModel([error]));
    const { find, asked } = fallbackOf([done]);
    const result = await runAgentLoop(context, rulesOf(RULES), withFallbacks(world, find), world.signals);
    expect(result).toMatchObject({ outcome: { status: 'failed', error: { message: 'down' } } });
    expect(asked).toEqual([]);
  });

  it('fails by the last failure when no fallback is usable, or the last one fails, too', async () => {
    const failures = () => [failed(), failed()];
    const unusable = new LoopWorld(new SequenceModel(failures()));
    const none: Find = () => Promise.resolve(null);
    expect(
      await runAgentLoop(context, rulesOf(RULES), withFallbacks(unusable, none), unusable.signals),
    ).toMatchObject({ outcome: { status: 'failed', error: { message: 'down' } } });

    const world = new LoopWorld(new SequenceModel(failures()));
    const { second, find } = fallbackOf(failures());
    expect(
      await runAgentLoop(context, rulesOf(RULES), withFallbacks(world, find), world.signals),
    ).toMatchObject({ outcome: { status: 'failed' } });
    expect(second.requests).toHaveLength(2);
  });

  it('sends items of the model that it left to no other', async () => {
    const providerItems = [{ type: 'reasoning', encrypted_content: 'x' }];
    const asks = aModelAnswer({
      ...{ text: 'let me see', toolCalls: [aCall('search', 'c1')], providerItems },
      parts: [{ kind: 'reasoning', index: 0 }],
    });
    const world = new LoopWorld(new SequenceModel([asks, failed(), failed()]));
    const own = aModelAnswer({
      ...{ toolCalls: [aCall('search', 'c2')], providerItems: [{ type: 'own' }] },
    });
    const { second, find } = fallbackOf([own, done]);

    await runAgentLoop(context, rulesOf(RULES), withFallbacks(world, find), world.signals);

    const answers = second.requests[1]?.messages.filter(({ role }) => role === 'assistant');
    expect(answers).toMatchObject([
      { content: 'let me see', providerItems: [] },
      { providerItems: [{ type: 'own' }] },
    ]);
    expect(answers?.[0]).not.toHaveProperty('parts');
  });

  it('never goes back: a later attempt asks the same fallback, and its lost call is of that model', async () => {
    const world = new LoopWorld(new SequenceModel([failed(), failed()]));
    const { second, find } = await dyingInFallback(world, [done]);

    const result = await runAgentLoop(LATER, rulesOf(RULES), withFallbacks(world, find), world.signals);

    expect(result).toMatchObject(completed);
    expect(second.requests.map(({ model }) => model)).toEqual(['second', 'second']);
    expect(world.journal.settlements[0]?.usage.slice(2)).toMatchObject([
      { model: 'second', state: 'unknown', tokens: null },
      { model: 'second', state: 'known' },
    ]);
  });

  it('fails in a later attempt when the fallback is gone by then', async () => {
    const world = new LoopWorld(new SequenceModel([failed(), failed()]));
    await dyingInFallback(world, []);
    const none: Find = () => Promise.resolve(null);
    const later = runAgentLoop(LATER, rulesOf(RULES), withFallbacks(world, none), world.signals);
    await expect(later).rejects.toMatchObject({ code: 'INACTIVE_RESOURCE' });
  });
});

const LATER = { ...context, attempt: 2, followsLostAttempt: true };

/** An attempt whose worker dies before the first answer of the fallback is written. */
async function dyingInFallback(
  world: LoopWorld,
  later: ModelAnswer[],
): Promise<ReturnType<typeof fallbackOf>> {
  const given = fallbackOf([aModelAnswer({ toolCalls: [aCall('search', 'c1')] }), ...later]);
  given.second.onCall = (number) => {
    if (number === 1) world.journal.dieAt(1, 'before');
  };
  const dying = runAgentLoop(context, rulesOf(RULES), withFallbacks(world, given.find), world.signals);
  await expect(dying).rejects.toBeInstanceOf(WorkerDied);
  world.journal.revive();
  return given;
}
