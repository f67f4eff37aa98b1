import 'reflect-metadata';
import { parseEnv, type AppConfig } from '#libs/config';
import { describeStartFailure, setHeapGrowth } from '#libs/observability';

/** Starts API and worker in one process, or one of them, by `ROLE`. Modules of other roles are not loaded. */
async function startAll(config: AppConfig): Promise<void> {
  const { startWholeService } = await import('./whole-service.js');
  const { guardProcess, stopOnSignal } = await import('../../worker/src/index.js');
  const service = await startWholeService(config);
  guardProcess({ hangLimitMs: config.worker.hangLimitMs, parentPid: null });
  stopOnSignal(service, config.worker.shutdownGraceMs);
  const { url } = service;
  console.log(`ready: API on ${url}, docs on ${url}/docs; worker: ${config.worker.roles.join(', ')}`);
}

setHeapGrowth('all');
try {
  const config = parseEnv(process.env, 'of_all_roles');
  if (config.role === 'all') await startAll(config);
  else if (config.role === 'api') await import('../../api/src/main.js');
  else await import('../../worker/src/main.js');
} catch (error) {
  console.error(describeStartFailure(error));
  process.exit(1);
}
