import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { scripted } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { waitFor } from '../../support/services/wait-for.js';
import { EngineWorld, engineOf, untilGone } from './engine-world.js';
import { CANARY, SDK } from './engines.js';
import { descendantsOf } from './processes.js';

const SEARCH = { name: 'mcp__capstan__search_items', arguments: { query: 'roma', limit: null } };
const SEND = { name: 'mcp__capstan__mcp__parcels__send', arguments: {} };

describeWithProgram(SDK, 'an agent by the Claude Agent SDK', () => {
  let world: EngineWorld;
  let clerk: number;

  beforeAll(async () => {
    world = await EngineWorld.start();
    clerk = await world.makeAgent({ tools: { builtin: ['search_items'], servers: ['mcp__parcels__*'] } });
  });
  afterEach(() => world.reset());
  afterAll(() => world.close());

  /** Reads on until a text came: a slow start has events of its own before. */
  const untilStreamed = async (id: string): Promise<void> => {
    let lastId: string | null = null;
    const hasText = async (): Promise<boolean> => {
      const events = await world.api.events(id, lastId, 3);
      lastId = events.at(-1)?.id ?? lastId;
      return events.some(({ event }) => event === 'text_delta');
    };
    await waitFor(hasText, { description: 'text to be streamed' });
  };

  it('calls a tool of this service, streams, and is billed to the token (S4-12, S4-13, S4-17)', async () => {
    const worker = await world.startWorker();
    const script = scripted({ text: 'I look.', calls: [SEARCH] }, { text: 'Here they are.' });
    const first = await world.submit(clerk, script);
    const view = await world.api.settled(first.id);
    expect(view).toMatchObject({
      ...{ status: 'completed', attempt: 1 },
      result: { message: { content: expect.stringContaining('Here they are.') as unknown } },
    });
    expect(await world.stepsOf(first.id)).toMatchObject([{ tool_name: 'search_items', status: 'succeeded' }]);
    const events = await world.api.events(first.id);
    expect(JSON.stringify([view, events, worker.log])).not.toContain(CANARY);
    const names = events.map(({ event }) => event);
    expect(names).toEqual(expect.arrayContaining(['tool_use', 'tool_result', 'text_delta', 'result']));
    const billed = (await world.seen()).reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
    expect(view.usage?.total_tokens).toBe(billed);

    // The next turn takes the conversation up (S4-34).
    const second = await world.submit(clerk, scripted({ text: 'never' }), {
      session_uuid: first.session_uuid,
    });
    await world.api.settled(second.id);
    expect(JSON.stringify((await world.seen()).at(-1)?.body?.messages)).toContain('Here they are.');
    await waitFor(() => Promise.resolve(descendantsOf(worker.pid).length === 0), {
      description: 'the engine to end',
    });
  });

  it('S4-37: says which command installs the SDK where there is none', async () => {
    await world.startWorker({ CLAUDE_AGENT_SDK: '/nowhere' });
    const { id } = await world.submit(clerk, scripted({ text: 'never' }));
    const { error } = await world.api.settled(id);
    expect(error).toMatchObject({ code: 'SDK_ERROR' });
    expect(error?.message).toContain('npm run claude:install');
  });

  it('ends its process group when it is cancelled, without a secret on a command line', async () => {
    const worker = await world.startWorker();
    const { id } = await world.submit(clerk, scripted({ text: 'too late', latency: { headers_ms: 60_000 } }));
    const engine = await engineOf(worker);
    expect(engine.map(({ command }) => command).join()).not.toMatch(/canary|You are a clerk|too late/);
    expect((await world.api.post(`/api/executions/${id}/cancel/`, {})).status).toBe(200);
    expect(await world.api.settled(id)).toMatchObject({ status: 'cancelled' });
    await untilGone(engine);
  });

  it('S4-38: ends its process group at the deadline', async () => {
    const worker = await world.startWorker();
    const slow = scripted({ text: 'too late', latency: { headers_ms: 60_000 } });
    const { id } = await world.submit(clerk, slow, { options: { timeout_seconds: 30 } });
    const engine = await engineOf(worker);
    expect(await world.api.settled(id)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'timeout' },
    });
    await untilGone(engine);
  });

  it('runs an unsafe call once where the worker is killed in it, and leaves no process', async () => {
    const victim = await world.startWorker();
    const { id } = await world.submit(clerk, scripted({ calls: [SEND] }, { text: 'sent' }));
    await world.service.called();
    const engine = await engineOf(victim);
    await world.startWorker();
    await victim.kill();
    expect(await world.api.settled(id)).toMatchObject({
      ...{ status: 'failed', attempt: 2 },
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    });
    expect(world.service.calls).toBe(1);
    await untilGone(engine);
  });

  it.each(['starts', 'streams'] as const)(
    'loses nothing where its worker is killed while it %s',
    async (phase) => {
      const victim = await world.startWorker();
      const slowly = { delta_characters: 5, latency: { headers_ms: 0, delta_ms: 50 } };
      const { id } = await world.submit(clerk, scripted({ text: 'word '.repeat(100), ...slowly }));
      const engine = await engineOf(victim);
      if (phase === 'streams') await untilStreamed(id);
      // The other worker starts afterwards: on a busy machine that takes longer than the answer.
      await victim.kill();
      await world.startWorker();
      const view = await world.api.settled(id);
      expect([view.status, view.attempt]).toEqual(['completed', 2]);
      expect(view.result?.message.content).toBe('word '.repeat(100));
      // The count of the call that was lost is not on the bill.
      expect((await world.seen()).at(-1)?.usage?.total_tokens).toBe(view.usage?.total_tokens);
      await untilGone(engine);
    },
  );

  const slow = { text: 'from the journal', latency: { headers_ms: 8_000 } };
  /** The third answer is for the engine that begins from the journal. */
  const script = scripted({ calls: [SEARCH] }, slow, { text: 'from the journal' });

  it.each(['the worker', 'the program of the engine', 'both'] as const)(
    'goes on from the journal where %s is killed while the model is asked',
    async (who) => {
      const victim = await world.startWorker();
      const { id } = await world.submit(clerk, script);
      await waitFor(async () => (await world.seen()).length > 1, {
        description: 'the model to be asked again',
      });
      const engine = await engineOf(victim);
      if (who !== 'the worker') process.kill(engine[0]?.pid ?? 0, 'SIGKILL');
      if (who !== 'the program of the engine') {
        await victim.kill();
        await world.startWorker();
      }
      expect(await world.api.settled(id)).toMatchObject({
        ...{ status: 'completed', attempt: who === 'the program of the engine' ? 1 : 2 },
        result: { message: { content: 'from the journal' } },
      });
      expect(await world.stepsOf(id)).toMatchObject([{ tool_name: 'search_items', status: 'succeeded' }]);
      await untilGone(engine);
    },
  );
});
