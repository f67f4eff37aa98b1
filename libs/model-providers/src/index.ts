export { AuditLog, type AuditLogOptions } from './audit-log.js';
export { ModelHosts, type SilentHost } from './breaker/model-hosts.js';
export type { CredentialCheck } from './calls/check-credentials.js';
export { costOf } from './catalogue/cost.js';
export { type ConfiguredModel, ModelCatalogue } from './catalogue/model-catalogue.js';
export {
  modelDescriptionSchema,
  pricingSchema,
  type ModelDescription,
  type Pricing,
} from './catalogue/model-description.js';
export { describeProvider, providerDescriptionSchema } from './catalogue/provider-description.js';
export { KnownHabits } from './embeddings/embedding-habits.js';
export { EnginePlaces, type EngineSurroundings } from './claude-agent-sdk/engine-places.js';
export { ENGINE_OPEN_FILES } from './claude-agent-sdk/limit-open-files.js';
export { installEngine } from './claude-agent-sdk/install-engine.js';
export { SDK_VERSION, sdkModule } from './claude-agent-sdk/sdk-release.js';
export type { CredentialForm } from './provider/credential-form.js';
export { isKeyless, normalizeCredentials, normalizeSettings } from './provider/credentials.js';
export { evaluateKeyChange, type StoredKey } from './provider/judge-key-change.js';
export type { CallSurroundings, ModelProvider, ProviderConnection } from './provider/model-provider.js';
export { ProviderRegistry } from './provider/provider-registry.js';
export { type ProcessConnection, resolveConnection } from './provider/resolve-connection.js';
export { modelProviders } from './providers.js';
export { loadTokenCounterOf, tokenCounterOf, type Tokenizer, tokenizerOf } from './tokenizer/count-tokens.js';
export { buildMessagesRequest } from './wire/messages/build-messages-request.js';
export type { MessagesRequest } from './wire/messages/messages-request.js';
export { defaultModelParameters } from './wire/model-calls/model-parameters.js';
export { ResponsesStreamDecoder } from './wire/responses/decode-responses-stream.js';
export { responsesParameters } from './wire/responses/read-model-parameters.js';
