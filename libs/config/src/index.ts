export { type WorkerRole } from './env.schema.js';
export { parseEnv, type AppConfig, type KnowledgeConfig } from './parse-env.js';
