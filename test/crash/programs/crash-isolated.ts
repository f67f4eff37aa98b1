// Runs one suspect for a decorated worker, with the same tools. It has no failpoints, because an isolated attempt comes only
// after they were passed.
import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import type { AttemptDependencies } from '#libs/executions';
import { createLogger } from '#libs/observability';
import { BuiltinTools } from '#libs/tool-sources';
import { IsolationModule, runIsolatedProgram } from '../../../apps/worker/src/isolation/isolated-program.js';
import { decorateProvider } from './decorate-provider.js';
import { poisonTools } from './poison-tools.js';
import { programSettingsSchema } from './program-settings.js';
import { unfencedExecution } from './unfenced-execution.js';
import { watchedTools } from './watched-tools.js';
import { ATTEMPT_DEPENDENCIES } from '../../../apps/worker/src/worker.tokens.js';

const config = parseEnv(process.env);
const settings = programSettingsSchema.parse(process.env);
const logger = createLogger('isolated', config.logLevel);
const without = settings.WITHOUT_PROTECTION;
const tools = watchedTools(settings.EFFECT_SERVER_URL, without === 'effect_class' ? { unsafe: 'read' } : {});

let module = IsolationModule.forRoot(config, logger, process);
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
if (without === 'fence')
  module = decorateProvider<AttemptDependencies>(module, ATTEMPT_DEPENDENCIES, (deps) =>
    unfencedExecution(deps, config.database.url),
  );
await runIsolatedProgram(config, logger, module);
