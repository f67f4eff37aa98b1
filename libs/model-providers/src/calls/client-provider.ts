import type { ModelPort } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import type { Embedder } from '#libs/knowledge';
import type { ParameterRules } from '#libs/payloads';
import type { PredefinedModel } from '../catalogue/predefined-model.js';
import type { CredentialForm } from '../provider/credential-form.js';
import { ClientEmbedder } from '../embeddings/client-embedder.js';
import { habitsOf, KnownHabits } from '../embeddings/embedding-habits.js';
import type { CallSurroundings, ModelProvider, ProviderConnection } from '../provider/model-provider.js';
import { resolveAlias, type ModelAliases } from '../provider/resolve-alias.js';
import {
  checkModelCredentials,
  checkProviderCredentials,
  type CredentialCheck,
} from './check-credentials.js';
import type { ClientConnection } from './connection.js';
import { ClientModel } from './client-model.js';
import type { WireProtocol } from './wire-protocol.js';

type Described = 'id' | 'label' | 'credentials' | 'parameters' | 'models';
type ClientProviderOptions = Pick<ModelProvider, Described> & {
  readonly aliases?: ModelProvider['aliases'];
  /** URL of the provider itself; OpenAI's by default. */
  readonly home?: string;
  /** True if all such servers list their models; for others, a 404 of the list says nothing about the key. */
  readonly alwaysListsModels: boolean;
  /** `options` of the credentials. */
  protocolFor(options: JsonObject): WireProtocol;
  /** Headers and query of every request; by default the key is sent as a bearer token. */
  addressFor?(connection: ProviderConnection): Pick<ClientConnection, 'headers' | 'query'>;
};

/** A provider that is asked with a key, by one API. */
export class ClientProvider implements ModelProvider {
  readonly id: string;
  readonly label: string;
  readonly credentials: CredentialForm;
  readonly parameters: ParameterRules;
  readonly models: readonly PredefinedModel[];
  readonly aliases: ModelProvider['aliases'];

  constructor(private readonly provider: ClientProviderOptions) {
    this.id = provider.id;
    this.label = provider.label;
    this.credentials = provider.credentials;
    this.parameters = provider.parameters;
    this.models = provider.models;
    this.aliases = provider.aliases ?? {};
  }

  connect(connection: ProviderConnection, surroundings: CallSurroundings = {}): ModelPort {
    const protocol = this.provider.protocolFor(connection.options);
    const aliases = this.aliasesFor(connection);
    return new ClientModel(protocol, { ...this.addressed(connection), ...surroundings, aliases });
  }

  embedder(connection: ProviderConnection, model: string, known = new KnownHabits()): Embedder {
    const set = habitsOf(connection.options);
    return new ClientEmbedder(this.addressed(connection), model, { known, set });
  }

  async checkCredentials(connection: ProviderConnection, signal: AbortSignal): Promise<CredentialCheck> {
    const check = await checkProviderCredentials(this.addressed(connection), signal);
    const isUnlisted = !check.ok && check.reason === 'model_not_found';
    return isUnlisted && !this.provider.alwaysListsModels ? { ok: true } : check;
  }

  checkModel(connection: ProviderConnection, model: string, signal: AbortSignal): Promise<CredentialCheck> {
    const protocol = this.provider.protocolFor(connection.options);
    const id = resolveAlias(this.aliasesFor(connection), model);
    return checkModelCredentials(protocol, this.addressed(connection), id, signal);
  }

  private aliasesFor({ aliases }: ProviderConnection): ModelAliases {
    return { ...this.aliases, ...aliases };
  }

  private addressed(connection: ProviderConnection): ProviderConnection & ClientConnection {
    const { home, addressFor } = this.provider;
    return { ...connection, ...(home !== undefined && { home }), ...addressFor?.(connection) };
  }
}
