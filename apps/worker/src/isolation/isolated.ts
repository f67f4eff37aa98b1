import 'reflect-metadata';
import { parseEnv } from '#libs/config';
import { createLogger } from '#libs/observability';
import { IsolationModule, runIsolatedProgram } from './isolated-program.js';

const config = parseEnv(process.env);
const logger = createLogger('isolated', config.logLevel);
await runIsolatedProgram(config, logger, IsolationModule.forRoot(config, logger, process));
