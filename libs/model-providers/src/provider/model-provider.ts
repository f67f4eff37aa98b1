import type { ModelPort } from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { Embedder } from '#libs/knowledge';
import type { ParameterRules } from '#libs/payloads';
import type { Dispatcher } from 'undici';
import type { AuditLog } from '../audit-log.js';
import type { ModelHosts } from '../breaker/model-hosts.js';
import type { CredentialCheck } from '../calls/check-credentials.js';
import type { PredefinedModel } from '../catalogue/predefined-model.js';
import type { KnownHabits } from '../embeddings/embedding-habits.js';
import type { CredentialForm } from './credential-form.js';
import type { EngineSurroundings } from '../claude-agent-sdk/engine-places.js';
import type { ProviderCredentials } from './credentials.js';
import type { ModelAliases } from './resolve-alias.js';

/** Connection to a provider, for one model configuration. */
export type ProviderConnection = Omit<ProviderCredentials, 'maxRetries'> & {
  /** Aliases that the operator set; they take precedence over those of the provider. */
  readonly aliases?: ModelAliases;
  /** Opens connections; if tenants choose the server, pass one that blocks internal addresses. */
  readonly dispatcher?: Dispatcher;
};

/** Services shared by calls of different model configurations. */
export interface CallSurroundings {
  /** Circuit breakers of the hosts; without them every call is sent. */
  readonly hosts?: ModelHosts;
  /** Key of the caller's circuit breaker; callers that may get different answers need different keys. */
  readonly caller?: string;
  readonly audit?: AuditLog;
  /** Timeout in milliseconds between stream events once the model writes; `timeoutMs` applies while it reasons. */
  readonly idleTimeoutMs?: number;
  readonly clock?: Clock;
  /** For a provider that runs an engine in processes of its own. */
  readonly engine?: EngineSurroundings;
}

/**
 * Everything specific to one kind of model server. Code above this library names no provider: it looks up the
 * configuration's `provider` in the registry.
 */
export interface ModelProvider {
  /** Value for `provider` in a model configuration. */
  readonly id: string;
  /** Shown to people. */
  readonly label: string;
  /** True if an engine in processes of the worker runs its models. */
  readonly hasEngine?: boolean;
  readonly credentials: CredentialForm;
  /** Parameters that its calls support, with their limits (S3-27). */
  readonly parameters: ParameterRules;
  /** Models that need no configuration; empty if only the server knows its models. */
  readonly models: readonly PredefinedModel[];
  /** Short names of models, with the id that each stands for; operators may set others (S4-30). */
  readonly aliases: ModelAliases;
  connect(connection: ProviderConnection, surroundings?: CallSurroundings): ModelPort;
  /**
   * Embeds texts with this model.
   *
   * @param known request format learned per server; share it between calls
   */
  embedder(connection: ProviderConnection, model: string, known?: KnownHabits): Embedder;
  /** Checks if the server accepts the key (S1-37). */
  checkCredentials(connection: ProviderConnection, signal: AbortSignal): Promise<CredentialCheck>;
  /** Checks if the model answers with this key (S1-38). */
  checkModel(connection: ProviderConnection, model: string, signal: AbortSignal): Promise<CredentialCheck>;
}
