import type { AppConfig } from '#libs/config';
import type { EngineRuns } from '#libs/executions';
import { EnginePlaces, type ProviderRegistry } from '#libs/model-providers';

/** Runs that this worker takes, by its configuration. */
export function engineRunsOf(
  { worker }: Pick<AppConfig, 'worker'>,
  providers: Pick<ProviderRegistry, 'list'>,
): EngineRuns {
  const withEngine = providers.list().filter(({ hasEngine }) => hasEngine === true);
  return { takes: worker.engineRuns, providers: withEngine.map(({ id }) => id) };
}

/**
 * The configuration of a worker that takes only runs by an engine: at most as many at once as it has places for engines, so
 * that others go to workers with room.
 *
 * @param memoryPlaces places by the memory of this process
 */
export function withEngineRoom(config: AppConfig, memoryPlaces = new EnginePlaces().size): AppConfig {
  const { worker, models } = config;
  if (worker.engineRuns !== 'only') return config;
  const concurrency = Math.min(worker.concurrency, models.engine.processes ?? memoryPlaces);
  return { ...config, worker: { ...worker, concurrency, reserve: 0 } };
}
