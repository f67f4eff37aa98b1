export { AuditLog, type AuditLogOptions } from './audit-log.js';
export { ModelHosts } from './breaker/model-hosts.js';
export { costOf } from './catalogue/cost.js';
export { ModelCatalogue } from './catalogue/model-catalogue.js';
export {
  modelDescriptionSchema,
  pricingSchema,
  type ModelDescription,
  type Pricing,
} from './catalogue/model-description.js';
export { reasonsByItself } from './catalogue/reasons-by-itself.js';
export { OPENAI_PROVIDER } from './catalogue/provider.js';
export { judgeKeyChange, type StoredKey } from './judge-key-change.js';
export {
  isKeyless,
  normalizeCredentials,
  normalizeSettings,
  type OpenAiCredentials,
  type OpenAiSettings,
} from './credentials.js';
export {
  checkModelCredentials,
  checkProviderCredentials,
  type CredentialCheck,
} from './openai/check-credentials.js';
export type { OpenAiConnection } from './openai/openai-client.js';
export { resolveConnection, type ResolvedConnection } from './resolve-connection.js';
export { OpenAiModel, type OpenAiModelOptions } from './openai/openai-model.js';
