// The worker with watched tools, as a program of its own, for chaos runs. Intervals without a setting are shortened, so that
// a run does not consist of waiting.
import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import type { RunExecutionDependencies } from '#libs/executions';
import { createLogger, setHeapGrowth } from '#libs/observability';
import { WebhookDeliveryStore } from '#libs/persistence';
import { BuiltinTools } from '#libs/tool-sources';
import { createWorkerApp, WorkerModule } from '../../../apps/worker/src/worker.module.js';
import { guardProcess } from '../../../apps/worker/src/guard/guard-process.js';
import { InlineDeliverer } from '../../../apps/worker/src/webhooks/inline-deliverer.js';
import { QUEUE_WORKER_OPTIONS } from '../../../apps/worker/src/queue/worker-registrar.js';
import { stopOnSignal } from '../../../apps/worker/src/shutdown/shutdown.js';
import { CRASH_ISOLATED } from './isolated-program.js';
import { impatientInlineDeliveries, impatientDeliveries } from './breakable-delivery.js';
import { decorateProvider } from './decorate-provider.js';
import { poisonTools } from './poison-tools.js';
import { programSettingsSchema } from './program-settings.js';
import { unfencedExecution } from './unfenced-execution.js';
import { withoutIsolation } from './without-isolation.js';
import { watchedTools } from './watched-tools.js';
import { RUN_EXECUTION_DEPENDENCIES, ISOLATION_PROGRAM } from '../../../apps/worker/src/worker.tokens.js';

setHeapGrowth('one');
const config = parseEnv(process.env);
const settings = programSettingsSchema.parse(process.env);
const logger = createLogger('worker', config.logLevel);
const without = settings.WITHOUT_PROTECTION;

if (settings.QUEUE_TIMES === 'short')
  Object.assign(QUEUE_WORKER_OPTIONS, { lockDuration: 4_000, stalledInterval: 2_000 });

let module = WorkerModule.forRoot(config, logger);
if (config.worker.roles.includes('execute')) {
  module = decorateProvider<string>(module, ISOLATION_PROGRAM, () => CRASH_ISOLATED);
  module = decorateProvider(
    module,
    BuiltinTools,
    () =>
      new BuiltinTools([
        ...watchedTools(settings.EFFECT_SERVER_URL, without === 'effect_class' ? { unsafe: 'read' } : {}),
        ...poisonTools(),
      ]),
  );
  if (without === 'fence')
    module = decorateProvider<RunExecutionDependencies>(module, RUN_EXECUTION_DEPENDENCIES, (deps) =>
      unfencedExecution(deps, config.database.url),
    );
  if (without === 'crash_attribution')
    module = decorateProvider<RunExecutionDependencies>(module, RUN_EXECUTION_DEPENDENCIES, withoutIsolation);
}
if (config.worker.roles.includes('webhooks') && settings.QUEUE_TIMES === 'short') {
  module = decorateProvider(module, WebhookDeliveryStore, (deliveries) =>
    impatientDeliveries(deliveries, settings.GRACE_MS),
  );
  module = decorateProvider(module, InlineDeliverer, (inlineDeliveries) =>
    impatientInlineDeliveries(inlineDeliveries, settings.GRACE_MS),
  );
}

const app = await createWorkerApp(config, logger, module);
guardProcess({ hangLimitMs: config.worker.hangLimitMs, parentPid: null });
stopOnSignal(app, config.worker.shutdownGraceMs);
