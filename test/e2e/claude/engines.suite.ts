import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { scripted } from '../../support/services/api-client.js';
import { scriptModel } from '../../support/services/script-model.js';
import { waitFor } from '../../support/services/wait-for.js';
import { EngineWorld, engineOf, untilGone } from './engine-world.js';
import { CANARY, type Engine } from './engines.js';
import { descendantsOf } from './processes.js';

const SLOW = { headers_ms: 60_000 };
/** In USD per million tokens. */
const PRICES = { input: '3', cached_input: '0.5', cache_write_5m: '4', cache_write_1h: '7', output: '16' };

/** The contract of engines: each test holds for the loop of this service and for the Claude Agent SDK alike. */
export function anyEngine(engine: Engine): void {
  let world: EngineWorld;
  let clerk: number;
  const search = (query = 'roma') => ({
    name: engine.toolName('search_items'),
    arguments: { query, limit: null },
  });

  beforeAll(async () => {
    world = await EngineWorld.start(engine);
    clerk = await world.makeAgent({ tools: { builtin: ['search_items'] } });
  });
  afterEach(() => world.reset());
  afterAll(() => world.close());

  /** Waits until no engine of the worker runs. */
  const untilAlone = (pid: number) =>
    waitFor(() => descendantsOf(pid).length === 0, { description: 'the engine to end' });
  const untilAsked = (times: number) =>
    waitFor(async () => (await world.seen()).length >= times, { description: `${times} requests` });
  const answerOf = (view: ExecutionView) => view.result?.message.content;

  it('emits the same events, runs both calls of a round, and is billed to the token (S4-13, S4-17, S4-23 … 27)', async () => {
    const worker = await world.startWorker();
    const script = scripted(
      { text: 'I look.', calls: [search('roma'), search('leek')] },
      { text: 'Here they are.' },
    );
    const { id } = await world.submit(clerk, script);
    const view = await world.api.settled(id);
    expect([view.status, view.attempt]).toEqual(['completed', 1]);
    const events = await world.api.events(id);
    expect(namesOf(events)).toEqual([...['text_delta', 'tool_use', 'tool_result', 'text_delta', 'result']]);
    const shown = events.filter(({ event }) => event === 'tool_use').map(({ data }) => data);
    expect(shown.map((data) => (JSON.parse(data) as { tool_name: string }).tool_name)).toEqual([
      ...['search_items', 'search_items'],
    ]);
    expect(await world.stepsOf(id)).toMatchObject([
      { tool_name: 'search_items', round: 1, position: 0, status: 'succeeded' },
      { tool_name: 'search_items', round: 1, position: 1, status: 'succeeded' },
    ]);
    expect(view.usage?.total_tokens).toBe(await world.spent());
    await untilAlone(worker.pid);
  });

  it('goes on with the conversation, in another worker too, until it is reset (S4-34, S4-35)', async () => {
    const first = await world.startWorker();
    const { id, session_uuid } = await world.submit(clerk, scripted({ text: 'The word is heron.' }));
    await world.api.settled(id);
    await first.kill();
    await world.startWorker();
    const next = async (input: string) => {
      const { id: turn } = await world.submit(clerk, input, { session_uuid });
      expect((await world.api.settled(turn)).status).toBe('completed');
      const { messages, input: items } = (await world.seen()).at(-1)?.body ?? {};
      return JSON.stringify(messages ?? items).includes('The word is heron.');
    };
    expect(await next(scripted({ text: 'One.' }))).toBe(true);
    expect((await world.api.post(`/api/sessions/${session_uuid}/reset/`, {})).status).toBe(200);
    expect(await next(scripted({ text: 'Two.' }))).toBe(false);
  });

  it('holds no process while a person decides, and then goes on in another worker', async () => {
    const careful = await world.makeAgent({
      tools: { builtin: ['search_items'] },
      config: { require_approval: ['search_items'] },
    });
    const first = await world.startWorker();
    // The second answer comes again where a new process begins from the messages.
    const found = { text: 'found' };
    const { id } = await world.submit(careful, scripted({ calls: [search()] }, found, found));
    await waitFor(
      async () => (await world.api.get<ExecutionView>(`/api/executions/${id}/`)).status === 'requires_action',
      { description: 'the execution to wait for a decision' },
    );
    await untilAlone(first.pid);
    await first.kill();
    await world.startWorker();
    const decisions = [{ call: '1.0', approved: true }];
    expect((await world.api.post(`/api/executions/${id}/approvals/`, { decisions })).status).toBe(200);
    const view = await world.api.settled(id);
    expect([view.status, answerOf(view)]).toEqual(['completed', 'found']);
    expect(await world.stepsOf(id)).toMatchObject([{ tool_name: 'search_items', status: 'succeeded' }]);
    expect(view.usage?.total_tokens).toBe(await world.spent());
  });

  it('runs two sub-agents at once, and counts what they spend (S4-14, S4-31, S4-33)', async () => {
    const reader = await world.makeAgent({ name: 'Reader' }, 'sim-echo');
    const asking = await world.makeAgent({
      tools: { agents: [{ agent: reader, name: 'reader', description: 'Reads.' }] },
    });
    await world.startWorker();
    const call = (prompt: string) => ({ name: engine.toolName('reader'), arguments: { prompt } });
    const both = { text: 'both' };
    const { id } = await world.submit(asking, scripted({ calls: [call('one'), call('two')] }, both, both));
    const view = await world.api.settled(id);
    expect([view.status, answerOf(view)]).toEqual(['completed', 'both']);
    expect(await world.stepsOf(id)).toMatchObject([
      { tool_name: 'reader', status: 'succeeded', output: { result: { message: 'one' } } },
      { tool_name: 'reader', status: 'succeeded', output: { result: { message: 'two' } } },
    ]);
    expect(view.usage?.total_tokens).toBe(await world.spent());
  });

  it('is priced by what the cache gives and takes for five minutes (S1-36)', async () => {
    const pricing = { ...PRICES, currency: 'USD', as_of: '2026-11-28' };
    const wordy = await world.makeAgent(
      { system_prompt: 'Many words. '.repeat(1_500), tools: { builtin: ['search_items'] } },
      ...(['sim-script', {}, { pricing }] as const),
    );
    await world.startWorker();
    const { id } = await world.submit(wordy, scripted({ calls: [search()] }, { text: 'Here they are.' }));
    const view = await world.api.settled(id);
    const seen = (await world.seen()).flatMap(({ usage }) => usage ?? []);
    const sum = (pick: (usage: (typeof seen)[number]) => number) =>
      seen.reduce((all, usage) => all + pick(usage), 0);
    const written = sum(({ input_tokens_details: { cache_write_tokens } }) => cache_write_tokens);
    const read = sum(({ input_tokens_details: { cached_tokens } }) => cached_tokens);
    const fresh = sum(({ input_tokens }) => input_tokens) - written - read;
    if (engine.hasCacheMarks) expect(written).toBeGreaterThan(1_000);
    const millionths =
      fresh * Number(PRICES.input) +
      written * Number(PRICES.cache_write_5m) +
      read * Number(PRICES.cached_input) +
      sum(({ output_tokens }) => output_tokens) * Number(PRICES.output);
    expect(Number(view.usage?.total_cost_usd)).toBeCloseTo(millionths / 1e6, 10);
  });

  it('is cancelled while the model is asked', async () => {
    const worker = await world.startWorker();
    const { id } = await world.submit(clerk, scripted({ text: 'too late', latency: SLOW }));
    const begun = engine.hasProcesses ? await engineOf(worker) : [];
    await untilAsked(1);
    expect((await world.api.post(`/api/executions/${id}/cancel/`, {})).status).toBe(200);
    expect(await world.api.settled(id)).toMatchObject({ status: 'cancelled', result: null });
    await untilGone(begun);
  });

  it('ends at its deadline with what the model has said by then (S4-38)', async () => {
    const worker = await world.startWorker();
    const text = 'word '.repeat(2_000);
    const slowly = { text, delta_characters: 5, latency: { headers_ms: 0, delta_ms: 100 } };
    const { id } = await world.submit(clerk, scripted(slowly), {
      options: { timeout_seconds: engine.deadlineSeconds },
    });
    const view = await world.api.settled(id);
    expect(view).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'timeout' } });
    expect(answerOf(view)).toMatch(/^word word /);
    await untilAlone(worker.pid);
  });

  it('is handed over by a worker that drains, and calls no tool twice', async () => {
    const first = await world.startWorker();
    const found = { text: 'found' };
    const later = { calls: [search()], latency: { headers_ms: 3_000 } };
    const { id } = await world.submit(clerk, scripted(later, found, found));
    await untilAsked(1);
    const stopped = first.stop();
    await world.startWorker();
    const view = await world.api.settled(id);
    expect([view.status, answerOf(view), view.attempt]).toEqual(['completed', 'found', 2]);
    expect(await world.stepsOf(id)).toMatchObject([{ tool_name: 'search_items', status: 'succeeded' }]);
    expect(await stopped).toBe(0);
    expect(view.usage?.total_tokens).toBe(await world.spent());
  });

  it('names a session by a model call of its own (S4-16, S4-41, S4-42)', async () => {
    const worker = await world.startWorker({ TITLES: 'model' });
    const titled = { text: 'Tomatoes for Friday' };
    await scriptModel(world.deployment, 'Tomatoes', { text: 'Of course.' }, titled);
    const { id, session_uuid } = await world.submit(clerk, 'Tomatoes, please');
    const events = await world.api.events(id);
    expect(JSON.parse(events.at(-1)?.data ?? '{}')).toEqual({ title: 'Tomatoes for Friday' });
    expect(await world.api.get(`/api/sessions/${session_uuid}/`)).toMatchObject({
      title: 'Tomatoes for Friday',
    });
    expect(await world.seen()).toHaveLength(2);
    await untilAlone(worker.pid);
  });

  it('fails with the words of the provider, without the key (S4-37)', async () => {
    const worker = await world.startWorker();
    const faults = [{ fault: { kind: 'unauthorized' } }];
    const { id } = await world.submit(clerk, scripted({ text: 'never', faults }));
    const view = await world.api.settled(id);
    expect(view).toMatchObject({ status: 'failed', error: { code: 'SDK_ERROR' } });
    expect(view.error?.message).toContain('Incorrect API key provided');
    expect(JSON.stringify([view, await world.api.events(id)])).not.toContain(CANARY);
    expect(await world.seen()).toHaveLength(1);
    await untilAlone(worker.pid);
  });
}

/** Names of the events that both engines have to emit, without repetitions in a row. */
function namesOf(events: readonly { readonly event?: string | undefined }[]): (string | undefined)[] {
  const names = events.map(({ event }) => event).filter((name) => CONTRACT.has(name ?? ''));
  return names.filter((name, index) => name !== names[index - 1]);
}

const CONTRACT = new Set([
  'text_delta',
  'thinking',
  'tool_use',
  'tool_result',
  'subagent',
  'result',
  'error',
]);
