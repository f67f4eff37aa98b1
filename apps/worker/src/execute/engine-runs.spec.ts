import { describe, expect, it } from '@jest/globals';
import { parseEnv, type AppConfig } from '#libs/config';
import { engineRunsOf, withEngineRoom } from './engine-runs.js';

const PROVIDERS = { list: () => [{ id: 'plain' }, { id: 'with-an-engine', hasEngine: true }] as never };

function configured(env: Readonly<Record<string, string>>, processes: number | null = null): AppConfig {
  const config = parseEnv({ DATABASE_URL: 'postgres://localhost/capstan', ...env });
  return { ...config, models: { ...config.models, engine: { ...config.models.engine, processes } } };
}

describe('the runs by an engine that a worker takes', () => {
  it.each(['any', 'none', 'only'])('are %s, of the providers with an engine', (takes) =>
    expect(engineRunsOf(configured({ WORKER_ENGINE_RUNS: takes }), PROVIDERS)).toEqual({
      ...{ takes, providers: ['with-an-engine'] },
    }),
  );

  it.each([
    [{ WORKER_ENGINE_RUNS: 'only' }, null, { concurrency: 3, reserve: 0 }],
    [{ WORKER_ENGINE_RUNS: 'only' }, 2, { concurrency: 2, reserve: 0 }],
    [{ WORKER_ENGINE_RUNS: 'only', WORKER_CONCURRENCY: '1' }, 2, { concurrency: 1, reserve: 0 }],
    [{ WORKER_ENGINE_RUNS: 'none', WORKER_CONCURRENCY: '20' }, 2, { concurrency: 20, reserve: 10 }],
  ])(
    'have these slots by %j and %p places of the configuration, with three by memory',
    (env, processes, slots) =>
      expect(withEngineRoom(configured(env, processes), 3).worker).toMatchObject(slots),
  );
});
