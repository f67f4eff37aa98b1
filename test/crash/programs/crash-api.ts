// The API with failpoints, as a program of its own. It decorates the ports here, so that production code needs no hook.
import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import { WorkerDoors } from '#libs/executions';
import { createLogger, setHeapGrowth } from '#libs/observability';
import { ExecutionAcceptanceStore } from '#libs/persistence';
import { JobProducer } from '#libs/queue';
import { ApiModule } from '../../../apps/api/src/api.module.js';
import { createApiApp } from '../../../apps/api/src/create-api-app.js';
import { breakableAcceptances, breakableDoors, breakableJobs } from './breakable-delivery.js';
import { decorateProvider } from './decorate-provider.js';
import { Failpoints } from './failpoints.js';
import { programSettingsSchema } from './program-settings.js';

setHeapGrowth('one');
const config = parseEnv(process.env);
const settings = programSettingsSchema.parse(process.env);
const logger = createLogger('api', config.logLevel);
const failpoints = new Failpoints(settings.FAILPOINT_BOARD_URL ?? null);

let module = ApiModule.forRoot(config, logger);
module = decorateProvider(module, ExecutionAcceptanceStore, (acceptances) =>
  breakableAcceptances(acceptances, failpoints),
);
module = decorateProvider(module, JobProducer, (jobs) => breakableJobs(jobs, failpoints));
module = decorateProvider<WorkerDoors>(module, WorkerDoors, (doors) => breakableDoors(doors, failpoints));

const app = await createApiApp(config, { logger, module });
const { host, port } = config.http;
await app.getHttpAdapter().getInstance().listen({ host, port });
app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
