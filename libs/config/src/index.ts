export { type WorkerRole } from './env.schema.js';
export { parseEnv, type AppConfig } from './parse-env.js';
