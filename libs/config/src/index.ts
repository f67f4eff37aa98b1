export { envSchema, WORKER_ROLES, type WorkerRole } from './env.schema.js';
export { parseEnv, type AppConfig } from './parse-env.js';
