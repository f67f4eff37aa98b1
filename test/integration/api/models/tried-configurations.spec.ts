import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { KEY, LlmsApi, type LlmAnswer } from '../llms-api.js';

const SERVER_KEY = 'sk-canary-of-the-operator';

describe('trying a model configuration, with the queue in PostgreSQL', () => {
  validating();
});
describeWithRedis('trying a model configuration, with the queue in Redis', ({ url }) => {
  validating(url);
});

function validating(redisUrl?: string): void {
  let world: LlmsApi;
  beforeAll(async () => {
    world = await LlmsApi.start({ redisUrl, workerEnv: { OPENAI_API_KEY: SERVER_KEY } });
  });
  afterAll(() => world.close());

  const validate = (id: unknown): Promise<LlmAnswer> =>
    world.call('POST', `/api/llms/${String(id)}/validate/`);
  async function outcomeOf(credentials: object, rest: object = {}): Promise<LlmAnswer> {
    const { json } = await world.create(credentials, rest);
    return validate(json['id']);
  }
  const own = (openai_api_key: string) => ({ openai_api_key, openai_api_base: world.simulatorUrl });

  it('says that it works (S1-37, S1-38)', async () => {
    expect((await outcomeOf(own(KEY))).json).toEqual({
      valid: true,
      outcome: 'works',
      checks: [
        { name: 'provider', ok: true, reason: null, message: null },
        { name: 'model', ok: true, reason: null, message: null },
      ],
    });
  });

  it('says which way it does not, without any secret', async () => {
    const answers = [
      await outcomeOf(own('sk-invalid')),
      await outcomeOf({ openai_api_key: KEY, openai_api_base: 'http://127.0.0.1:1' }),
      await outcomeOf(own(KEY), { model: 'no-such-model' }),
    ];
    expect(answers.map(({ status, json }) => [status, json['valid'], json['outcome']])).toEqual([
      [200, false, 'key_refused'],
      [200, false, 'unreachable'],
      [200, false, 'unknown_model'],
    ]);
    const everything = [...answers.map(({ text }) => text), ...world.api.log].join('\n');
    for (const secret of [KEY, 'sk-invalid', SERVER_KEY]) expect(everything).not.toContain(secret);
  });

  it('is answered by a worker, which alone has the operator’s key: none is there at once', async () => {
    const { json } = await world.create(own(KEY));
    await world.stopWorker();
    expect(await validate(json['id'])).toMatchObject({ status: 503, json: { code: 'NO_WORKER' } });
    expect((await validate(999_999)).status).toBe(404);
  });
}

describe('trying a configuration where the operator has set limits', () => {
  it('cannot reach a server of a private network, independent of the setting of the API', async () => {
    const world = await LlmsApi.start({ workerEnv: { MODEL_ALLOW_PRIVATE_HOSTS: 'false' } });
    try {
      const made = await world.create({ openai_api_key: KEY, openai_api_base: world.simulatorUrl });
      const tried = await world.call('POST', `/api/llms/${String(made.json['id'])}/validate/`);
      expect(tried.json).toMatchObject({ valid: false, checks: [{ name: 'provider', ok: false }] });
    } finally {
      await world.close();
    }
  });

  it('uses the key of the worker, which the API does not have, where it has none of its own', async () => {
    const outcomes: unknown[] = [];
    // The simulator accepts any key but `sk-invalid`.
    for (const OPENAI_API_KEY of [SERVER_KEY, 'sk-invalid']) {
      const simulated = await LlmsApi.start();
      const world = await LlmsApi.start({
        workerEnv: { OPENAI_API_KEY, OPENAI_BASE_URL: `${simulated.simulatorUrl}/v1` },
      });
      const made = await world.create({});
      const tried = await world.call('POST', `/api/llms/${String(made.json['id'])}/validate/`);
      outcomes.push(tried.json['outcome']);
      await world.close();
      await simulated.close();
    }
    expect(outcomes).toEqual(['works', 'key_refused']);
  });
});
