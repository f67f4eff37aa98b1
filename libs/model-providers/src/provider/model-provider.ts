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
import type { ProviderCredentials } from './credentials.js';

/** How to reach a provider, for one model configuration. */
export type ProviderConnection = Omit<ProviderCredentials, 'maxRetries'> & {
  /** Opens the connections; pass one that guards against internal addresses where tenants choose the server. */
  readonly dispatcher?: Dispatcher;
};

/** What the calls of one model configuration share with those of others. */
export interface CallSurroundings {
  /** What is known of the hosts that this process calls; left out, each call goes out. */
  readonly hosts?: ModelHosts;
  /** Who calls: those whose calls may be answered differently have different names. */
  readonly caller?: string;
  readonly audit?: AuditLog;
  /** Milliseconds between two events of a stream once the model writes; while it reasons `timeoutMs` counts. */
  readonly idleTimeoutMs?: number;
  readonly clock?: Clock;
}

/**
 * Everything the house has to know of one kind of model server. Nothing above this library names one: whoever has a model
 * configuration asks the registry for what its `provider` says.
 */
export interface ModelProvider {
  /** What `provider` of a model configuration says. */
  readonly id: string;
  /** Shown to people. */
  readonly label: string;
  readonly credentials: CredentialForm;
  /** What its calls understand of options, with limits of its own (S3-27). */
  readonly parameters: ParameterRules;
  /** Models that need no set-up; empty where only the server knows what it serves. */
  readonly models: readonly PredefinedModel[];
  connect(connection: ProviderConnection, surroundings?: CallSurroundings): ModelPort;
  /**
   * Makes vectors of texts by this model.
   * @param known what servers have said of how they want to be asked; shared by calls that shall learn from each other
   */
  embedder(connection: ProviderConnection, model: string, known?: KnownHabits): Embedder;
  /** Does the server accept the key (S1-37)? */
  checkCredentials(connection: ProviderConnection, signal: AbortSignal): Promise<CredentialCheck>;
  /** Does the model answer with this key (S1-38)? */
  checkModel(connection: ProviderConnection, model: string, signal: AbortSignal): Promise<CredentialCheck>;
}
