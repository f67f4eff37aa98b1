import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, scripted } from '../support/services/api-client.js';
import { Deployment } from '../support/services/deployment.js';
import { WATCHED_TOOLS } from './programs/watched-tools.js';
import { CRASH_API, CRASH_WORKER } from './services/crash-programs.js';
import { EffectServer } from './services/effect-server.js';
import { offerWatchedTools } from './services/offer-watched-tools.js';

describe('a worker with watched tools', () => {
  let effects: EffectServer;
  let deployment: Deployment;
  let api: ApiClient;

  beforeAll(async () => {
    effects = await EffectServer.listen();
    deployment = await Deployment.open('postgres', { EFFECT_SERVER_URL: effects.url });
    await offerWatchedTools(deployment.databaseUrl);
    const [{ url }] = await Promise.all([
      deployment.startApi({}, CRASH_API),
      deployment.startWorker({}, CRASH_WORKER),
    ]);
    api = new ApiClient(url);
  });
  afterAll(async () => {
    await deployment.close();
    await effects.close();
  });

  it.each(Object.values(WATCHED_TOOLS))('calls %s once, with a key, when nothing breaks', async (name) => {
    const calls = [{ name, arguments: { item: 'roma', delay_ms: null, fail: null } }];
    const { id } = await api.submit({ input: scripted({ calls }, { text: 'done' }) });
    expect(await api.settled(id)).toMatchObject({ status: 'completed', attempt: 1 });
    expect(effects.callsOf(id)).toMatchObject([
      { tool: name, tookEffect: true, idempotencyKey: `${id}.1.0`, input: { item: 'roma' } },
    ]);
  });
});
