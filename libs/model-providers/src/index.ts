export { AuditLog, type AuditLogOptions } from './audit-log.js';
export { DEFAULT_IDLE_TIMEOUT_MS, OpenAiModel, type OpenAiModelOptions } from './openai/openai-model.js';
export { OPENAI_BASE_URL, type OpenAiConnection } from './openai/openai-client.js';
