import { describe, expect, it } from '@jest/globals';
import { anExecutionContext } from '../../../test/support/builders/execution-context.js';
import { aCall, aModelAnswer } from '../../../test/support/builders/model-answer.js';
import { LoopWorld, rulesOf, succeeded } from '../../../test/support/fakes/loop-world.js';
import { ScriptedModel, SequenceModel } from '../../../test/support/fakes/scripted-model.js';
import { ModelCallError } from './ports/model-call-error.js';
import { ModelHostUnavailableError } from './ports/model-host-unavailable-error.js';
import { runAgentLoop } from './run-agent-loop.js';

const context = anExecutionContext();
const finished = {
  kind: 'settled',
  outcome: { status: 'completed', text: 'done' },
  view: { status: 'completed' },
};
const done = aModelAnswer({ text: 'done' });

describe('runAgentLoop', () => {
  it('answers in one round with one commit, and stores user and assistant message', async () => {
    const world = new LoopWorld(new ScriptedModel([done]));
    expect(await runAgentLoop(context, rulesOf(), world.ports, world.signals)).toMatchObject(finished);
    expect(world.journal.commits).toBe(1);
    expect(world.journal.settlements[0]).toMatchObject({
      status: 'completed',
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'done', data: {} },
      ],
      totalTokens: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    });
  });

  it('adds two commits for a round with tools that may be repeated', async () => {
    const asks = aModelAnswer({ toolCalls: [aCall('search', 'c1'), aCall('upsert', 'c2')] });
    const world = new LoopWorld(new ScriptedModel([asks, done]));
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(world.journal.commits).toBe(3);
  });

  it('feeds each output back in the order of the calls (S0-13)', async () => {
    const model = new ScriptedModel([
      aModelAnswer({ text: 'let me see', toolCalls: [aCall('charge', 'c1'), aCall('search', 'c2')] }),
      done,
    ]);
    const world = new LoopWorld(model);
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'let me see',
        toolCalls: [
          { id: 'c1', name: 'charge', arguments: '{}' },
          { id: 'c2', name: 'search', arguments: '{}' },
        ],
        providerItems: [],
      },
      { role: 'tool', toolCallId: 'c1', content: 'ok charge' },
      { role: 'tool', toolCallId: 'c2', content: 'ok search' },
    ]);
  });

  it('commits that an unsafe call begins before it begins', async () => {
    const world = new LoopWorld(
      new ScriptedModel([aModelAnswer({ toolCalls: [aCall('charge', 'c1'), aCall('charge', 'c2')] }), done]),
    );
    const startedBefore: unknown[] = [];
    world.tools.onRun = (invocation) => {
      startedBefore.push(world.journal.steps.get(`1.${invocation.position}`)?.status);
      return succeeded('charged');
    };
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(startedBefore).toEqual(['started', 'started']);
  });

  it('bakes what tools produced into the answer that follows, and only there, and stages their changes (S2-28, S2-30)', async () => {
    const world = new LoopWorld(
      new ScriptedModel([aModelAnswer({ toolCalls: [aCall('upsert', 'c1')] }), done]),
    );
    const staged = [{ kind: 'receipt.saved', data: { id: 5 } }];
    world.tools.onRun = () => succeeded('saved', { baked: { receiptId: 5 }, staged });
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    const [settlement] = world.journal.settlements;
    expect(settlement?.staged).toEqual(staged);
    expect(settlement?.messages.map(({ role, data }) => ({ role, data }))).toEqual([
      { role: 'user', data: {} },
      { role: 'assistant', data: { receiptId: 5 } },
    ]);
  });

  it('answers the model that a tool does not exist, runs nothing, and keeps an audit row (S0-35, S1-3)', async () => {
    const model = new ScriptedModel([aModelAnswer({ toolCalls: [aCall('nonsense', 'c1')] }), done]);
    const world = new LoopWorld(model);
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(world.tools.runs.size).toBe(0);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: 'there is not a tool named nonsense',
    });
    expect(world.journal.steps.get('1.0')).toMatchObject({ status: 'refused', toolName: 'nonsense' });
  });

  it('executes no call of the last permitted round and ends incomplete (S0-14)', async () => {
    const asks = aModelAnswer({ text: 'still looking', toolCalls: [aCall('search', 'c1')] });
    const world = new LoopWorld(new ScriptedModel([asks, asks]));
    const result = await runAgentLoop(context, rulesOf({ maximumIterations: 2 }), world.ports, world.signals);
    expect(result).toMatchObject({
      kind: 'settled',
      outcome: { status: 'incomplete', reason: 'max_iterations', text: 'still looking' },
    });
    expect([...world.tools.runs.keys()]).toEqual(['1.0']);
    expect(world.journal.steps.get('2.0')?.output).toEqual({
      status: 'error',
      result: {
        message:
          "Maximum iteration limit (2) reached. Cannot call tool 'search'. Please consider increasing the iteration limit.",
      },
    });
  });

  it('executes the calls of a single permitted round and answers with their output', async () => {
    const world = new LoopWorld(
      new ScriptedModel([aModelAnswer({ toolCalls: [aCall('search', 'c1'), aCall('search', 'c2')] })]),
    );
    const result = await runAgentLoop(context, rulesOf({ maximumIterations: 1 }), world.ports, world.signals);
    expect(result).toMatchObject({ outcome: { status: 'incomplete', text: 'ok search\nok search' } });
  });

  it('tries a failed model call again, asks followers to drop the partial text, and then goes on', async () => {
    const failure = new ModelCallError({ reason: 'truncated_stream', message: 'cut off', retryable: true });
    const world = new LoopWorld(new SequenceModel([failure, done]));
    expect(await runAgentLoop(context, rulesOf(), world.ports, world.signals)).toMatchObject(finished);
    expect(world.waits).toHaveLength(1);
    expect(world.events.events.map((event) => event.event)).toEqual(['text_delta', 'attempt_restarted']);
  });

  it('keeps what a failed call has cost, and lets it count against the budget', async () => {
    const usage = aModelAnswer().usage;
    if (usage === null) throw new Error('the builder reports usage');
    const spent = { responseId: 'r', model: null, usage };
    const failure = new ModelCallError({ reason: 'x', message: 'x', retryable: true, spent });
    const asks = aModelAnswer({ toolCalls: [aCall('search', 'c1')] });
    const world = new LoopWorld(new SequenceModel([failure, asks]));
    const budget = { total_tokens: 30, cost: null, rounds: null };
    const result = await runAgentLoop(context, rulesOf({ budget }), world.ports, world.signals);
    expect(result).toMatchObject({ outcome: { status: 'incomplete', reason: 'budget' } });
    expect(world.journal.settlements[0]).toMatchObject({
      totalTokens: { total_tokens: 30 },
      usage: [
        { round: 1, tryNumber: 1, state: 'failed', model: context.model, responseId: 'r' },
        { round: 1, tryNumber: 2, state: 'known' },
      ],
    });
  });

  it('gives each model call the time that is left, and whether another may follow', async () => {
    const failure = new ModelCallError({ reason: 'x', message: 'x', retryable: true });
    const model = new SequenceModel([failure, done]);
    const world = new LoopWorld(model);
    world.remainingMs = 600;
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(model.limits).toEqual([
      { remainingMs: 600, isLastTry: false, isFollowed: true },
      { remainingMs: 600, isLastTry: true, isFollowed: true },
    ]);
  });

  it('gives each model call whether the execution is followed', async () => {
    const model = new SequenceModel([done]);
    const world = new LoopWorld(model);
    world.events.hasFollower = false;
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(model.limits).toMatchObject([{ isFollowed: false }]);
  });

  it.each([
    ['rate_limited', 'rate_limit'],
    ['server_error', 'provider_backoff'],
  ] as const)('shows that it waits after a call that failed as %s', async (reason, kind) => {
    const failure = new ModelCallError({ reason, message: 'not now', retryable: true, retryAfterMs: 3_000 });
    const answers = [Promise.reject(failure), Promise.resolve(done)];
    const world = new LoopWorld({ call: () => answers.shift() ?? Promise.reject(failure) });
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    const firstByte = { kind: 'model_first_byte', name: context.model, nextTryMs: null, afterMs: 5_000 };
    expect(world.notices.begun).toMatchObject([
      { ...firstByte, ending: 'over' },
      { kind, name: context.model, message: 'not now', nextTryMs: 3_000, afterMs: 0, ending: 'over' },
      { ...firstByte, ending: 'answered' },
    ]);
  });

  it('sends an answer back in its own order', async () => {
    const parts = [
      { kind: 'message', text: 'let me see', phase: 'commentary' },
      { kind: 'reasoning', index: 0 },
      { kind: 'call', callId: 'c1' },
    ] as const;
    const asks = aModelAnswer({ text: 'let me see', toolCalls: [aCall('search', 'c1')], parts });
    const model = new ScriptedModel([asks, done]);
    const world = new LoopWorld(model);
    await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(model.requests[1]?.messages[1]).toMatchObject({ role: 'assistant', parts });
  });

  it('leaves everything as it was when the host of the model does not answer', async () => {
    const world = new LoopWorld({ call: () => Promise.reject(new ModelHostUnavailableError(5_000)) });
    await expect(runAgentLoop(context, rulesOf(), world.ports, world.signals)).rejects.toThrow(
      'the host of the model does not answer',
    );
    expect(world.journal.entries).toEqual([]);
    // The execution continues to wait in the queue.
    expect(world.notices.begun).toMatchObject([{ kind: 'model_first_byte', ending: null }]);
  });

  it.each([
    ['after its retries are used up', true, 2],
    ['at once when trying again is pointless', false, 1],
  ])('fails %s, and leaves no message', async (_name, retryable, calls) => {
    const failure = () => new ModelCallError({ reason: 'down', message: 'the provider is down', retryable });
    const model = new SequenceModel([failure(), failure(), failure()]);
    const world = new LoopWorld(model);
    const result = await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(result).toMatchObject({
      kind: 'settled',
      outcome: { status: 'failed', error: { code: 'SDK_ERROR', message: 'the provider is down' } },
    });
    expect(model.requests).toHaveLength(calls);
    expect(world.journal.settlements[0]?.messages).toEqual([]);
  });

  it('ends incomplete with the text so far when the deadline interrupts the model (S4-38)', async () => {
    const world = new LoopWorld({
      call: (_request, onDelta) => {
        onDelta({ kind: 'text', content: 'so far' });
        world.stop('deadline');
        return Promise.reject(new Error('aborted'));
      },
    });
    const result = await runAgentLoop(context, rulesOf(), world.ports, world.signals);
    expect(result).toMatchObject({
      kind: 'settled',
      outcome: { status: 'incomplete', reason: 'timeout', text: 'so far' },
    });
  });

  it('writes nothing more once its lease is lost but that its call was given up, under the fence', async () => {
    const world = new LoopWorld({
      call: () => {
        world.stop('lease_lost');
        return Promise.reject(new Error('aborted'));
      },
    });
    expect(await runAgentLoop(context, rulesOf(), world.ports, world.signals)).toEqual({
      kind: 'interrupted',
    });
    const how = { startedAt: 0, durationMs: 0, tryNumber: 1 };
    expect(world.journal.entries).toEqual([
      { kind: 'model_call_interrupted', round: 1, text: '', model: context.model, ...how },
    ]);
  });

  it('stops at a boundary when drained, and another worker goes on from there', async () => {
    const world = new LoopWorld(
      new ScriptedModel([aModelAnswer({ toolCalls: [aCall('charge', 'c1')] }), done]),
    );
    world.tools.onRun = () => {
      world.drain.abort();
      return succeeded('charged');
    };
    expect(await runAgentLoop(context, rulesOf(), world.ports, world.signals)).toEqual({
      kind: 'interrupted',
    });
    expect(world.journal.steps.get('1.0')?.status).toBe('succeeded');
    const signals = { drain: new AbortController().signal, abort: world.signals.abort };
    expect(await runAgentLoop({ ...context, attempt: 2 }, rulesOf(), world.ports, signals)).toMatchObject(
      finished,
    );
    expect(world.tools.runs.get('1.0')).toBe(1);
    expect(world.events.events).toContainEqual({
      event: 'attempt_restarted',
      data: { attempt: 2, round: 2 },
    });
  });
});
