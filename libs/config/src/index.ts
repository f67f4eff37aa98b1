export type { AppConfig } from './app-config.js';
export type { BlobsConfig, S3Config } from './blobs-config.js';
export { domainNames } from './domain-names.js';
export type { EmbeddingsConfig } from './embeddings-config.js';
export { type WorkerRole } from './env.schema.js';
export type { FilesConfig } from './files-config.js';
export type { KnowledgeConfig } from './knowledge-config.js';
export { describeMisspeltVariable } from './misspelt-variables.js';
export { parseEnv } from './parse-env.js';
