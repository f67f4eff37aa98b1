import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf } from '../../../test/support/fakes/loop-world.js';
import { ScriptedModel } from '../../../test/support/fakes/scripted-model.js';
import type { ExecutionContext } from './execution-context.js';
import type { Journal, JournalBatch } from './ports/journal.js';
import { runAgentLoop, type LoopResult } from './run-agent-loop.js';

/** A loop with appends that end only when the test ends them. */
function loopWithHeldAppends(...tools: string[]) {
  return loopOf(anExecutionContext(), tools);
}

function loopOf(
  context: ExecutionContext,
  tools: readonly string[],
  {
    rounds = 1,
    drainsAtRequest = Infinity,
  }: { readonly rounds?: number; readonly drainsAtRequest?: number } = {},
) {
  const calls = tools.map((tool, index) => aCall(tool, `c${index}`));
  const answers = Array.from({ length: rounds }, () => aModelAnswer({ toolCalls: calls }));
  const model = new ScriptedModel([...answers, aModelAnswer({ text: 'done' })]);
  const world = new LoopWorld(model);
  const { journal } = world;
  model.onCall = () => {
    if (model.requests.length === drainsAtRequest) world.drain.abort();
  };
  const appends: { readonly kinds: string[]; readonly end: (error?: Error) => void }[] = [];
  const append = async (batch: JournalBatch): Promise<void> => {
    const written = Promise.withResolvers<null>();
    const end = (error?: Error): void => {
      if (error) written.reject(error);
      else written.resolve(null);
    };
    appends.push({ kinds: batch.entries.map(({ kind }) => kind), end });
    await written.promise;
    await journal.append(batch);
  };
  const held = new Proxy<Journal>(journal, {
    get: (target, name) => {
      if (name === 'append') return append;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const ports = { ...world.ports, journal: held };
  const running = runAgentLoop(context, rulesOf(), ports, world.signals);
  const ended = running.catch((error: unknown) => error);
  const progress = async () => {
    // By then the loop has done everything that does not wait for an append.
    await new Promise((resolve) => setImmediate(resolve));
    return {
      appends: appends.map(({ kinds }) => kinds.at(-1)),
      runs: [...world.tools.runs.keys()],
      asked: model.requests.length,
      settled: journal.settlements.length,
    };
  };
  return { appends, ended, progress };
}

const SETTLED: Partial<LoopResult> = { kind: 'settled' };
const STARTED = 'tool_call_started';
const OUTCOME = 'tool_call_settled';
const LOST = 'model_call_lost';

describe('while an append is under way', () => {
  it('a read begins, but the model is not asked before its answer is durable; then the outcome may lag', async () => {
    const { appends, ended, progress } = loopWithHeldAppends('search');
    expect(await progress()).toEqual({ appends: [STARTED], runs: ['1.0'], asked: 1, settled: 0 });
    appends[0]?.end();
    expect(await progress()).toEqual({ appends: [STARTED, OUTCOME], runs: ['1.0'], asked: 2, settled: 0 });
    appends[1]?.end();
    expect(await ended).toMatchObject(SETTLED);
    expect(await progress()).toMatchObject({ appends: [STARTED, OUTCOME], settled: 1 });
  });

  it('a read begins only then, where the execution is a suspect: it may be what ends the process', async () => {
    const context = { ...anExecutionContext(), attempt: 3, followsLostAttempt: true, isSuspect: true };
    const { appends, ended, progress } = loopOf(context, ['search']);
    expect(await progress()).toMatchObject({ appends: [LOST], asked: 0 });
    appends[0]?.end();
    expect(await progress()).toMatchObject({ appends: [LOST, STARTED], runs: [], asked: 1 });
    appends[1]?.end();
    expect(await progress()).toMatchObject({ appends: [LOST, STARTED, OUTCOME], runs: ['1.0'] });
    appends[2]?.end();
    expect(await ended).toMatchObject(SETTLED);
  });

  it.each([
    ['an unsafe call neither begins nor is its outcome left behind', 'charge', 1],
    ['a call that lasts does not begin, but its outcome may lag', 'upsert', 2],
  ])('%s', async (_what, tool, askedBeforeOutcome) => {
    const { appends, ended, progress } = loopWithHeldAppends(tool);
    expect(await progress()).toEqual({ appends: [STARTED], runs: [], asked: 1, settled: 0 });
    appends[0]?.end();
    expect(await progress()).toEqual({
      appends: [STARTED, OUTCOME],
      runs: ['1.0'],
      asked: askedBeforeOutcome,
      settled: 0,
    });
    appends[1]?.end();
    expect(await ended).toMatchObject(SETTLED);
  });

  it('a read beside a call that lasts waits with it', async () => {
    const { appends, ended, progress } = loopWithHeldAppends('search', 'upsert');
    expect(await progress()).toMatchObject({ runs: [] });
    appends[0]?.end();
    expect(await progress()).toMatchObject({ runs: ['1.0', '1.1'], asked: 2 });
    appends[1]?.end();
    expect(await ended).toMatchObject(SETTLED);
  });
});

describe('a failed append that no caller awaits', () => {
  const refused = new Error('refused');

  it('ends the attempt before the model is asked again', async () => {
    const { appends, ended, progress } = loopWithHeldAppends('search');
    await progress();
    appends[0]?.end(refused);
    await progress();
    appends[1]?.end(refused);
    expect(await ended).toBe(refused);
    expect(await progress()).toMatchObject({ asked: 1, settled: 0 });
  });

  it('ends the attempt before it settles', async () => {
    const { appends, ended, progress } = loopWithHeldAppends('search');
    await progress();
    appends[0]?.end();
    await progress();
    appends[1]?.end(refused);
    await progress();
    appends[2]?.end(refused);
    expect(await ended).toBe(refused);
    expect(await progress()).toMatchObject({ asked: 2, settled: 0 });
  });

  it('loses nothing of an attempt that stops at its next boundary: what the model answered is with the journal', async () => {
    const { appends, ended, progress } = loopOf(anExecutionContext(), ['search'], {
      rounds: 2,
      drainsAtRequest: 2,
    });
    await progress();
    appends[0]?.end();
    await progress();
    appends[1]?.end(refused);
    expect(await progress()).toMatchObject({ appends: [STARTED, OUTCOME, 'model_call_completed'] });
    appends[2]?.end(refused);
    expect(await ended).toBe(refused);
  });

  it('ends the attempt before an unsafe call begins', async () => {
    const { appends, ended, progress } = loopWithHeldAppends('search', 'charge');
    await progress();
    appends[0]?.end(refused);
    await progress();
    appends[1]?.end(refused);
    expect(await ended).toBe(refused);
    expect(await progress()).toMatchObject({ runs: ['1.0'], settled: 0 });
  });
});
