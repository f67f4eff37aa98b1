// The worker with watched tools and failpoints, as a program of its own. It decorates the ports here, so that production
// code needs no hook.
import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import { type RunExecutionDependencies, RunExecution } from '#libs/executions';
import { createLogger, setHeapGrowth } from '#libs/observability';
import { ExecutionWrites, WebhookDeliveryStore } from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { BuiltinTools } from '#libs/tool-sources';
import { createWorkerApp, WorkerModule } from '../../../apps/worker/src/worker.module.js';
import { guardProcess } from '../../../apps/worker/src/guard/guard-process.js';
import { InlineDeliverer } from '../../../apps/worker/src/webhooks/inline-deliverer.js';
import { WebhookSender } from '../../../apps/worker/src/webhooks/webhook-sender.js';
import { QUEUE_WORKER_OPTIONS } from '../../../apps/worker/src/queue/worker-registrar.js';
import { DrainSignal, stopOnSignal } from '../../../apps/worker/src/shutdown/shutdown.js';
import {
  breakableJobs,
  breakableSender,
  impatientInlineDeliveries,
  impatientDeliveries,
} from './breakable-delivery.js';
import { CRASH_ISOLATED } from './isolated-program.js';
import { BreakableExecution } from './breakable-execution.js';
import { decorateProvider } from './decorate-provider.js';
import { Failpoints } from './failpoints.js';
import { poisonTools } from './poison-tools.js';
import { DRAINING, programSettingsSchema } from './program-settings.js';
import { unfencedExecution } from './unfenced-execution.js';
import { watchedTools } from './watched-tools.js';
import { RUN_EXECUTION_DEPENDENCIES, ISOLATION_PROGRAM } from '../../../apps/worker/src/worker.tokens.js';

setHeapGrowth('one');
const config = parseEnv(process.env);
const settings = programSettingsSchema.parse(process.env);
const graceMs = settings.GRACE_MS;
Object.assign(QUEUE_WORKER_OPTIONS, { lockDuration: graceMs, stalledInterval: graceMs / 4 });
const logger = createLogger('worker', config.logLevel);
const failpoints = new Failpoints(settings.FAILPOINT_BOARD_URL ?? null);
const execution = new BreakableExecution(failpoints);
const without = settings.WITHOUT_PROTECTION;
const tools = watchedTools(settings.EFFECT_SERVER_URL, without === 'effect_class' ? { unsafe: 'read' } : {});

let module = WorkerModule.forRoot(config, logger);
module = decorateProvider(module, JobProducer, (jobs) => breakableJobs(jobs, failpoints));
if (config.worker.roles.includes('execute')) {
  module = decorateProvider<string>(module, ISOLATION_PROGRAM, () => CRASH_ISOLATED);
  module = decorateProvider(
    module,
    BuiltinTools,
    ({ catalogue }) =>
      new BuiltinTools([
        ...tools,
        ...poisonTools(),
        ...catalogue.names().flatMap((name) => catalogue.find(name) ?? []),
      ]),
  );
  module = decorateProvider<RunExecutionDependencies>(module, RUN_EXECUTION_DEPENDENCIES, (deps) =>
    execution.dependencies(without === 'fence' ? unfencedExecution(deps, config.database.url) : deps),
  );
  module = decorateProvider(module, ExecutionWrites, (writes) => execution.writes(writes));
  module = decorateProvider(module, RunExecution, (job) => execution.job(job));
}
if (config.worker.roles.includes('webhooks')) {
  module = decorateProvider(module, WebhookDeliveryStore, (deliveries) =>
    impatientDeliveries(deliveries, graceMs),
  );
  module = decorateProvider(module, InlineDeliverer, (inlineDeliveries) =>
    impatientInlineDeliveries(inlineDeliveries, graceMs),
  );
  module = decorateProvider(module, WebhookSender, (sender) => breakableSender(sender, failpoints));
}

const app = await createWorkerApp(config, logger, module);
app.get(DrainSignal).signal.addEventListener('abort', () => {
  console.log(DRAINING);
});
guardProcess({ hangLimitMs: config.worker.hangLimitMs, parentPid: null });
stopOnSignal(app, config.worker.shutdownGraceMs);
