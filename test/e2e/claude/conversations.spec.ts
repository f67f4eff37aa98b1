import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { scripted } from '../../support/services/api-client.js';
import { describeWithProgram } from '../../support/services/describe-with-program.js';
import { waitFor } from '../../support/services/wait-for.js';
import { EngineWorld } from './engine-world.js';
import { SDK } from './engines.js';
import { descendantsOf } from './processes.js';

const SEARCH = { name: 'mcp__capstan__search_items', arguments: { query: 'roma', limit: null } };

describeWithProgram(SDK, 'a conversation by the Claude Agent SDK', () => {
  let world: EngineWorld;

  beforeAll(async () => {
    world = await EngineWorld.start();
  });
  afterEach(() => world.reset());
  afterAll(() => world.close());

  it('reads an input as text: no command of the engine, and no file that it names', async () => {
    const echo = await world.makeAgent({}, 'sim-echo');
    await world.startWorker();
    for (const input of ['/cost @/etc/hostname', '!ls', '/clear']) {
      const { id } = await world.submit(echo, input);
      const view = await world.api.settled(id);
      expect(view).toMatchObject({ status: 'completed', result: { message: { content: input } } });
    }
  });

  it('holds no process while a person decides, and then goes on', async () => {
    const careful = await world.makeAgent({
      tools: { builtin: ['search_items'] },
      config: { require_approval: ['search_items'] },
    });
    const worker = await world.startWorker();
    const { id } = await world.submit(
      careful,
      scripted({ calls: [SEARCH] }, { text: 'a' }, { text: 'found' }),
    );
    await waitFor(
      async () => (await world.api.get<ExecutionView>(`/api/executions/${id}/`)).status === 'requires_action',
      { description: 'the execution to wait for a decision' },
    );
    await waitFor(() => Promise.resolve(descendantsOf(worker.pid).length === 0), {
      description: 'the engine to end',
    });
    const decisions = [{ call: '1.0', approved: true }];
    expect((await world.api.post(`/api/executions/${id}/approvals/`, { decisions })).status).toBe(200);
    expect(await world.api.settled(id)).toMatchObject({
      ...{ status: 'completed' },
      result: { message: { content: 'found' } },
    });
    expect(await world.stepsOf(id)).toMatchObject([{ tool_name: 'search_items', status: 'succeeded' }]);
  });

  it('lets two sub-agents at once have an engine each, where there is one place (S4-14, S4-31)', async () => {
    const reader = await world.makeAgent({ name: 'Reader' }, 'sim-echo');
    const asking = await world.makeAgent({
      tools: { agents: [{ agent: reader, name: 'reader', description: 'Reads.' }] },
    });
    await world.startWorker();
    const call = (prompt: string) => ({ name: 'mcp__capstan__reader', arguments: { prompt } });
    const { id } = await world.submit(
      asking,
      scripted({ calls: [call('one'), call('two')] }, { text: 'a' }, { text: 'both' }),
    );
    expect(await world.api.settled(id)).toMatchObject({
      ...{ status: 'completed' },
      result: { message: { content: 'both' } },
    });
    expect(await world.stepsOf(id)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });

  it('asks Amazon Bedrock for nothing but the answers (S4-11)', async () => {
    const ofBedrock = { claude_agent_backend: 'bedrock', claude_agent_key: 'AKIDEXAMPLE:of-our-own-secret' };
    const agent = await world.makeAgent({ tools: { builtin: ['search_items'] } }, 'sim-script', ofBedrock);
    await world.startWorker();
    const { id } = await world.submit(agent, scripted({ calls: [SEARCH] }, { text: 'from Bedrock' }));
    expect(await world.api.settled(id)).toMatchObject({
      ...{ status: 'completed' },
      result: { message: { content: 'from Bedrock' } },
    });
    expect(await world.seen()).toHaveLength(2);
  });
});
