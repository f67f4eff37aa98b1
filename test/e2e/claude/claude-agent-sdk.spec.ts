import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { CLAUDE_SDK_FOLDER } from '#libs/config';
import { sdkModule } from '#libs/model-providers';
import type { ExecutionView } from '#libs/payloads';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { waitFor } from '../../support/services/wait-for.js';
import { descendantsOf, isAlive } from './processes.js';
import { HeldService } from './held-service.js';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = resolve(ROOT, process.env['CLAUDE_AGENT_SDK'] ?? CLAUDE_SDK_FOLDER);
const SDK = {
  name: 'the Claude Agent SDK (npm run claude:install)',
  isInstalled: existsSync(sdkModule(FOLDER)),
};
/** A key that may appear nowhere. */
const CANARY = 'sk-canary-0123456789abcdef';
const SEARCH = { name: 'mcp__capstan__search_items', arguments: { query: 'roma', limit: null } };
const SEND = { name: 'mcp__capstan__mcp__parcels__send', arguments: {} };

describeWithProgram(SDK, 'an agent by the Claude Agent SDK', () => {
  let deployment: Deployment;
  let api: ApiClient;
  let service: HeldService;
  let agent: number;
  const workers = new Set<{ readonly pid: number; kill(): Promise<unknown> }>();

  async function startWorker(settings: Readonly<Record<string, string>> = {}) {
    const worker = await deployment.startWorker(settings);
    workers.add(worker);
    return worker;
  }

  beforeAll(async () => {
    service = await HeldService.listen();
    deployment = await Deployment.open('postgres', {
      ...{ CLAUDE_AGENT_SDK: FOLDER, CLAUDE_AGENT_SDK_PROCESSES: '2' },
      ...{ MODEL_ALLOW_PRIVATE_HOSTS: 'true', PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*' },
    });
    api = new ApiClient((await deployment.startApi()).url);
    const make = async (path: string, body: object) => {
      const answer = await api.post(path, body);
      expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()]);
      return (await answer.json()) as { id: number };
    };
    await make('/api/mcp-servers/', {
      ...{ name: 'parcels', type: 'openapi' },
      config: { document: JSON.stringify(service.description), base_url: service.url },
    });
    const llm = await make('/api/llms/', {
      ...{ name: 'by the engine', provider: 'claude_agent_sdk', model: 'sim-script' },
      credentials: { claude_agent_key: CANARY, claude_agent_base: deployment.simulatorUrl },
    });
    const { id } = await make('/api/agents/', {
      ...{ name: 'Clerk', usecase_type: 'BASIC_CHAT', llm: llm.id, system_prompt: 'You are a clerk.' },
      tools: { builtin: ['search_items'], servers: ['mcp__parcels__*'] },
    });
    agent = id;
  });
  afterEach(async () => {
    await Promise.all([...workers].map((worker) => worker.kill()));
    workers.clear();
  });
  afterAll(async () => {
    await deployment.close();
    await service.close();
  });

  async function submit(input: string, more: object = {}): Promise<ExecutionView> {
    const answer = await api.post(`/api/agents/${agent}/execute/`, { input, ...more });
    expect(answer.status).toBe(202);
    return (await answer.json()) as ExecutionView;
  }

  it('calls a tool of this service, streams, and is billed to the token (S4-12, S4-13, S4-17)', async () => {
    const worker = await startWorker();
    const first = await submit(scripted({ text: 'I look.', calls: [SEARCH] }, { text: 'Here they are.' }));
    const view = await api.settled(first.id);
    expect(view).toMatchObject({
      ...{ status: 'completed', attempt: 1 },
      result: { message: { content: expect.stringContaining('Here they are.') as unknown } },
    });
    const steps = await api.get<{ data: object[] }>(`/api/executions/${first.id}/steps/`);
    expect(steps.data).toMatchObject([{ tool_name: 'search_items', status: 'succeeded' }]);
    const names = (await api.events(first.id)).map(({ event }) => event);
    expect(names).toEqual(expect.arrayContaining(['tool_use', 'tool_result', 'text_delta', 'result']));
    expect(view.usage?.total_tokens).toBe(await totalTokens());

    // The next turn takes the conversation up.
    const second = await submit(scripted({ text: 'Again.' }), { session_uuid: first.session_uuid });
    expect(await api.settled(second.id)).toMatchObject({ status: 'completed' });
    await waitFor(() => Promise.resolve(descendantsOf(worker.pid).length === 0), {
      description: 'the engine to end',
    });
  });

  it('S4-37: says which command installs the SDK where there is none', async () => {
    await startWorker({ CLAUDE_AGENT_SDK: '/nowhere' });
    const { id } = await submit(scripted({ text: 'never' }));
    const { error } = await api.settled(id);
    expect(error).toMatchObject({ code: 'SDK_ERROR' });
    expect(error?.message).toContain('npm run claude:install');
  });

  it('ends its process group when it is cancelled, without a secret on a command line', async () => {
    const worker = await startWorker();
    const { id } = await submit(scripted({ text: 'too late', latency: { headers_ms: 60_000 } }));
    const engine = await engineOf(worker.pid);
    expect(engine.map(({ command }) => command).join()).not.toMatch(/canary|You are a clerk|too late/);
    expect((await api.post(`/api/executions/${id}/cancel/`, {})).status).toBe(200);
    expect(await api.settled(id)).toMatchObject({ status: 'cancelled' });
    await untilGone(engine);
  });

  it('runs an unsafe call once where the worker is killed in it, and leaves no process', async () => {
    const victim = await startWorker();
    const { id } = await submit(scripted({ calls: [SEND] }, { text: 'sent' }));
    await service.called();
    const engine = await engineOf(victim.pid);
    await startWorker();
    await victim.kill();
    expect(await api.settled(id)).toMatchObject({
      ...{ status: 'failed', attempt: 2 },
      error: { code: 'TOOL_OUTCOME_UNKNOWN' },
    });
    expect(service.calls).toBe(1);
    await untilGone(engine);
  });

  it('goes on from the journal where the worker is killed while the model is asked', async () => {
    const victim = await startWorker();
    const slow = { text: 'from the journal', latency: { headers_ms: 8_000 } };
    const { id } = await submit(scripted({ calls: [SEARCH] }, slow, slow));
    await waitFor(async () => (await seen()).length > 1, { description: 'the model to be asked again' });
    const engine = await engineOf(victim.pid);
    await startWorker();
    await victim.kill();
    expect(await api.settled(id)).toMatchObject({
      ...{ status: 'completed', attempt: 2 },
      result: { message: { content: 'from the journal' } },
    });
    const steps = await api.get<{ data: object[] }>(`/api/executions/${id}/steps/`);
    expect(steps.data).toMatchObject([{ tool_name: 'search_items', status: 'succeeded' }]);
    await untilGone(engine);
  });

  /** Requests of models since the last call of `forget`. */
  async function seen(): Promise<{ usage: { total_tokens: number } | null; endpoint: string }[]> {
    const answer = await fetch(`${deployment.simulatorUrl}/__control/requests`);
    return ((await answer.json()) as { requests: Awaited<ReturnType<typeof seen>> }).requests;
  }

  afterEach(() => fetch(`${deployment.simulatorUrl}/__control/requests`, { method: 'DELETE' }));

  async function totalTokens(): Promise<number> {
    return (await seen()).reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0);
  }
});

/** The processes of the engine below a worker, once the engine itself runs. */
function engineOf(worker: number) {
  return waitFor(
    () => {
      const found = descendantsOf(worker);
      return Promise.resolve(found.length < 2 ? null : found);
    },
    { description: 'the engine to run' },
  );
}

function untilGone(engine: readonly { readonly pid: number }[]) {
  return waitFor(() => Promise.resolve(!engine.some(({ pid }) => isAlive(pid))), {
    description: 'the engine to end',
  });
}
