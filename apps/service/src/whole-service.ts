import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { createLoggers, Metrics } from '#libs/observability';
import { ApiModule, Companion, createApiApp, NEAR_WORKER, SHARED_WITH_API } from '../../api/src/index.js';
import { createWorkerApp, WorkerLifecycle, WorkerModule } from '../../worker/src/index.js';
import { NearWorker } from './near-worker.js';

/** API and worker running in one process. */
export interface WholeService {
  /** URL of the API. */
  readonly url: string;
  /** Stops the API after its open requests, then the worker, then the connections. */
  close(): Promise<void>;
}

/** Shares the worker's connections, event stream and metrics with the API, which must not close them. */
@Module({})
class Lent {
  static by(worker: INestApplicationContext): DynamicModule {
    const providers = [
      ...SHARED_WITH_API.map((token) => ({ provide: token, useValue: worker.get<object>(token) })),
      { provide: Companion, useValue: vitalsOf(worker.get(WorkerLifecycle)) },
      { provide: NEAR_WORKER, useValue: NearWorker.of(worker) },
    ];
    return {
      ...{ module: Lent, global: true, providers },
      exports: [...SHARED_WITH_API, Companion, NEAR_WORKER],
    };
  }
}

/** Wraps the lifecycle, since Nest would start and stop it with the API a second time. */
function vitalsOf(lifecycle: WorkerLifecycle): Companion {
  return {
    get isLive() {
      return lifecycle.isLive;
    },
    checkReady: () => lifecycle.checkReady(),
  };
}

/**
 * Starts API and worker in this process on shared connections, and listens. Throws, with nothing left open, when either
 * cannot start.
 * @param changeWorker replaces the worker's module
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
