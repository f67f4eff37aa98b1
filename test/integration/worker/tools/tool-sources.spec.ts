import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, systemTimers, type JsonObject } from '#libs/kernel';
import type { ModelPort, ModelRequest } from '#libs/agent-core';
import type { ExecutionEvent } from '#libs/payloads';
import {
  ToolCatalogue,
  ToolSource,
  type ToolContext,
  type ToolDefinition,
  type ToolSourceContext,
} from '#libs/tooling';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

const EXECUTOR = { user_id: 'u7', name: 'Mara', email: 'mara@example.com' };
const request = { input: 'hello', options: {}, additional_data: {}, executor: EXECUTOR };
const calling = (name: string, args: unknown = {}) =>
  new SequenceModel([aModelAnswer({ toolCalls: [aCall(name, 'c1', args)] }), aModelAnswer({ text: 'done' })]);

/** Offers the tools that the test chooses, and records the contexts of its loads. */
class TestSource extends ToolSource {
  readonly asked: ToolSourceContext[] = [];

  constructor(private readonly offer: (context: ToolSourceContext) => readonly ToolDefinition[]) {
    super();
  }

  override async load(context: ToolSourceContext): Promise<ToolCatalogue> {
    this.asked.push(context);
    return new ToolCatalogue(this.offer(context));
  }
}

describe('a source of tools', () => {
  it('gives each execution a catalogue of its own: what another one may call, this one may not', async () => {
    await world.offer([]);
    const [one, two] = [await world.submit(), await world.submit()];
    const source = new TestSource(({ sessionId }) => [
      aTool(sessionId === one.sessionId ? 'mine' : 'theirs'),
    ]);
    const [first, second] = [calling('mine'), calling('mine')];
    await world.run(one.id, first, [], { tools: source });
    await world.run(two.id, second, [], { tools: source });
    expect([first, second].map(({ requests }) => requests[0]?.tools.map(({ name }) => name))).toEqual([
      ['mine'],
      ['theirs'],
    ]);
    expect((await world.stepsOf(one.id))[0]).toMatchObject({ status: 'succeeded' });
    expect((await world.stepsOf(two.id))[0]).toMatchObject({ status: 'refused' });
  });

  it('learns for whom it is asked, and what the agent says of its tools', async () => {
    await world.offer([aTool('look')]);
    const { id, sessionId } = await world.submit({ request });
    const source = new TestSource(() => []);
    await world.run(id, new SequenceModel([aModelAnswer({ text: 'hi' })]), [], { tools: source });
    expect(source.asked).toEqual([
      {
        tenantId: 'default',
        executionId: id,
        sessionId,
        scope: '',
        executor: EXECUTOR,
        agentTools: { builtin: ['look'] },
        hasSkills: false,
        pinned: null,
        onEnd: expect.any(Function),
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  it.each([
    ['names what is wrong with the agent', { kind: 'invalid_input' }, 'failed', 'SOURCE_FAULT'],
    ['has a fault of its own', { kind: 'internal' }, 'failed', 'INTERNAL_ERROR'],
    ['cannot be reached for the moment', { kind: 'unavailable', retryable: true }, 'queued', undefined],
  ] as const)(
    'with the answer %s ends the execution so, or requeues it',
    async (_name, options, status, code) => {
      await world.offer([]);
      const { id } = await world.submit();
      const source = new TestSource(() => {
        throw new AppError({ code: 'SOURCE_FAULT', message: 'no such server', ...options });
      });
      const view = await world
        .run(id, calling('never'), [], { tools: source })
        .catch(() => world.executions.find('default', id));
      expect(view).toMatchObject({ status });
      expect(view?.error?.code).toBe(code);
    },
  );

  describe('without an answer', () => {
    class SilentSource extends ToolSource {
      override load(): Promise<ToolCatalogue> {
        return new Promise(() => undefined);
      }
    }
    // The timer of this limit fires at once, so that the test does not wait for seconds.
    const withLimit = (limitMs: number) => ({
      after: (ms: number, act: () => void) => systemTimers.after(ms === limitMs ? 0 : ms, act),
    });
    const run = async (id: string, limitMs: number) =>
      world
        .run(id, calling('never'), [], { tools: new SilentSource(), timers: withLimit(limitMs) })
        .catch(() => world.executions.find('default', id));

    it('holds no worker: the execution waits as long as there is time', async () => {
      await world.offer([]);
      const { id } = await world.submit();
      const view = await run(id, 20_000);
      expect(view).toMatchObject({ status: 'queued', error: null });
    });

    it.each([
      [
        'deadline_at',
        { status: 'incomplete', incomplete_details: { reason: 'timeout' } },
        'deadline_reached',
      ],
      ['cancel_requested_at', { status: 'cancelled' }, 'cancellation_requested'],
    ])('does not keep an execution from ending as it has to: %s', async (column, ending, fact) => {
      await world.offer([aTool('look'), aTool('pay', { effect: 'unsafe' })]);
      const { id, sessionId } = await world.submit();
      await world.dataSource.query(
        `UPDATE execution SET ${column} = now() - interval '5 seconds', due_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
      expect(await run(id, 1_000)).toMatchObject(ending);
      const facts = await world.dataSource.query<{ kind: string }[]>(
        'SELECT kind FROM journal_entry WHERE execution_id = $1 ORDER BY sequence',
        [id],
      );
      expect(facts.map(({ kind }) => kind)).toEqual([fact, 'execution_settled']);
      const said = await world.messagesOf(sessionId);
      expect(said.length > 0).toBe(column === 'deadline_at');
    });
  });

  it('may be named by a rule of approval with tools that the agent has not, and with no others', async () => {
    const tools = [aTool('look'), aTool('pay')];
    const run = async (require_approval: readonly string[]) => {
      await world.offer(tools.slice(0, 1), { require_approval });
      const { id } = await world.submit();
      return world.run(id, new SequenceModel([aModelAnswer({ text: 'hi' })]), tools);
    };
    expect(await run(['pay'])).toMatchObject({ status: 'completed' });
    expect(await run(['gone'])).toMatchObject({ status: 'failed', error: { code: 'VALIDATION_ERROR' } });
  });
});

describe('a tool', () => {
  it('learns where it runs, for whom, and under which idempotency key', async () => {
    const seen: ToolContext[] = [];
    const look = aTool('look', {
      run: async (_input, context) => {
        seen.push(context);
        return { result: { status: 'success', result: {} } };
      },
    });
    await world.offer([look]);
    const { id, sessionId } = await world.submit({ request });
    await world.run(id, calling('look'), [look]);
    expect(seen).toMatchObject([
      {
        tenantId: 'default',
        executionId: id,
        sessionId,
        scope: '',
        executor: EXECUTOR,
        idempotencyKey: `${id}.1.0`,
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  it('says how far it is, between the beginning and the end of its call and never after it', async () => {
    let late: ToolContext['events'] | undefined;
    const work = aTool('work', {
      run: async (_input, { events }) => {
        late = events;
        events.progress({ message: 'half of it', done: 5, total: 10 });
        return { result: { status: 'success', result: {} } };
      },
    });
    await world.offer([work]);
    const { id } = await world.submit();
    const requests: ModelRequest[] = [];
    const model: ModelPort = {
      call: (request) => {
        requests.push(request);
        late?.progress({ message: 'too late' });
        const isFirst = requests.length === 1;
        return Promise.resolve(
          aModelAnswer(isFirst ? { toolCalls: [aCall('work', 'c1')] } : { text: 'done' }),
        );
      },
    };
    await world.run(id, model, [work]);
    const events: readonly ExecutionEvent[] = await world.events.readAfter(id, 0, 100);
    const ofTools = events.filter(({ event }) => event.startsWith('tool_'));
    expect(ofTools.map(({ event }) => event)).toEqual(['tool_use', 'tool_progress', 'tool_result']);
    expect(ofTools[1]?.data).toEqual({
      tool_use_id: 'c1',
      tool_name: 'work',
      status: 'running',
      message: 'half of it',
      done: 5,
      total: 10,
      round: 1,
    });
    expect(JSON.stringify(requests)).not.toContain('half of it');
  });

  it.each<[string, JsonObject, string]>([
    ['without its optional field', { unit: 'kg' }, 'succeeded'],
    ['with it', { unit: 'kg', note: 'ripe' }, 'succeeded'],
    ['with one of the wrong type', { unit: 'kg', note: 7 }, 'refused'],
    ['with one that there is not', { unit: 'kg', colour: 'red' }, 'refused'],
  ])('with JSON Schema alone is called %s', async (_name, args, status) => {
    const got: unknown[] = [];
    const weigh: ToolDefinition = {
      name: 'weigh',
      label: 'weigh',
      description: 'Weighs.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: { unit: { type: 'string' }, note: { type: 'string' } },
        required: ['unit'],
        additionalProperties: false,
      },
      timeoutMs: 1_000,
      run: async (input) => {
        got.push(input);
        return { result: { status: 'success', result: {} } };
      },
    };
    await world.offer([weigh]);
    const { id } = await world.submit();
    const model = calling('weigh', args);
    await world.run(id, model, [weigh]);
    expect(await world.stepsOf(id)).toMatchObject([{ status }]);
    expect(got).toEqual(status === 'succeeded' ? [args] : []);
    expect(model.requests[0]?.tools).toMatchObject([{ strict: false, parameters: weigh.inputSchema }]);
  });
});
