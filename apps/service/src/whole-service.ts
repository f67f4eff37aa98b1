import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { createLoggers, Metrics } from '#libs/observability';
import { ApiModule, Companion, createApiApp, SHARED_WITH_API } from '../../api/src/index.js';
import { createWorkerApp, WorkerLifecycle, WorkerModule } from '../../worker/src/index.js';

/** API and worker of one process. */
export interface WholeService {
  /** Of the API. */
  readonly url: string;
  /** First the API answers what it has begun and accepts no more, then the worker finishes, then connections end. */
  close(): Promise<void>;
}

/** Lends the API what the worker has: connections, live events, metrics. Whoever borrows ends nothing. */
@Module({})
class Lent {
  static by(worker: INestApplicationContext): DynamicModule {
    const providers = [
      ...SHARED_WITH_API.map((token) => ({ provide: token, useValue: worker.get<object>(token) })),
      { provide: Companion, useValue: vitalsOf(worker.get(WorkerLifecycle)) },
    ];
    return { module: Lent, global: true, providers, exports: [...SHARED_WITH_API, Companion] };
  }
}

/** The lifecycle itself would be begun and ended with the API a second time. */
function vitalsOf(lifecycle: WorkerLifecycle): Companion {
  return {
    get isLive() {
      return lifecycle.isLive;
    },
    checkReady: () => lifecycle.checkReady(),
  };
}

/**
 * Starts API and worker in this process, on one set of connections, and listens. Throws when either cannot start; then
 * nothing is left open.
 * @param changeWorker what to work with in place of the usual module
 */
export async function startWholeService(
  config: AppConfig,
  changeWorker: (module: DynamicModule) => DynamicModule = (module) => module,
): Promise<WholeService> {
  const loggers = createLoggers(['api', 'worker'], config.logLevel);
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closing) await end();
  };
  try {
    const workerModule = changeWorker(WorkerModule.forRoot(config, loggers.worker, 'beside_api'));
    const worker = await createWorkerApp(config, loggers.worker, workerModule);
    closing.unshift(() => worker.close());
    worker.get(Metrics).addProcess();
    const module = ApiModule.forRoot(config, loggers.api, [Lent.by(worker)]);
    const api = await createApiApp(config, { logger: loggers.api, module });
    closing.unshift(() => api.close());
    const { host, port } = config.http;
    const url = await api.getHttpAdapter().getInstance().listen({ host, port });
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
