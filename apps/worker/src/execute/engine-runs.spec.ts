import { describe, expect, it } from '@jest/globals';
import { parseEnv } from '#libs/config';
import { modelProviders } from '#libs/model-providers';
import { engineRunsOf, withEngineRoom } from './engine-runs.js';

const configured = (env: Readonly<Record<string, string>>) =>
  parseEnv({ DATABASE_URL: 'postgres://localhost/capstan', ...env });

describe('the runs by an engine that a worker takes', () => {
  it.each(['any', 'none', 'only'])('are %s, of the providers with an engine', (takes) =>
    expect(engineRunsOf(configured({ WORKER_ENGINE_RUNS: takes }), modelProviders)).toEqual({
      ...{ takes, providers: ['claude_agent_sdk'] },
    }),
  );

  it.each([
    [{ WORKER_ENGINE_RUNS: 'only' }, { concurrency: 3, reserve: 0 }],
    [{ WORKER_ENGINE_RUNS: 'only', CLAUDE_AGENT_SDK_PROCESSES: '2' }, { concurrency: 2, reserve: 0 }],
    [{ WORKER_ENGINE_RUNS: 'only', WORKER_CONCURRENCY: '1' }, { concurrency: 1, reserve: 0 }],
    [{ WORKER_ENGINE_RUNS: 'none', WORKER_CONCURRENCY: '20' }, { concurrency: 20, reserve: 10 }],
  ])('of %j have these slots where memory has places for three', (env, slots) =>
    expect(withEngineRoom(configured(env), 3).worker).toMatchObject(slots),
  );

  it('are all in the one process of a small installation', () =>
    expect(() => configured({ ROLE: 'all', WORKER_ENGINE_RUNS: 'none' })).toThrow('WORKER_ENGINE_RUNS'));
});
