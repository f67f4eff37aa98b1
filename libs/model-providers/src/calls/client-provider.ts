import type { ModelPort } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import type { Embedder } from '#libs/knowledge';
import type { ParameterRules } from '#libs/payloads';
import type { PredefinedModel } from '../catalogue/predefined-model.js';
import type { CredentialForm } from '../provider/credential-form.js';
import { ClientEmbedder } from '../embeddings/client-embedder.js';
import { habitsOf, KnownHabits } from '../embeddings/embedding-habits.js';
import type { CallSurroundings, ModelProvider, ProviderConnection } from '../provider/model-provider.js';
import {
  checkModelCredentials,
  checkProviderCredentials,
  type CredentialCheck,
} from './check-credentials.js';
import type { ClientConnection } from './connection.js';
import { ClientModel } from './client-model.js';
import type { WireProtocol } from './wire-protocol.js';

type ClientProviderOptions = Pick<ModelProvider, 'id' | 'label' | 'credentials' | 'parameters' | 'models'> & {
  /** True if all such servers list their models; for others, a 404 of the list says nothing about the key. */
  readonly alwaysListsModels: boolean;
  /** `options` of the credentials. */
  protocolFor(options: JsonObject): WireProtocol;
  /** Headers and query of every request; by default the key is sent as a bearer token. */
  addressFor?(connection: ProviderConnection): Pick<ClientConnection, 'headers' | 'query'>;
};

/** A provider that speaks one of OpenAI's APIs. */
export class ClientProvider implements ModelProvider {
  readonly id: string;
  readonly label: string;
  readonly credentials: CredentialForm;
  readonly parameters: ParameterRules;
  readonly models: readonly PredefinedModel[];

  constructor(private readonly provider: ClientProviderOptions) {
    this.id = provider.id;
    this.label = provider.label;
    this.credentials = provider.credentials;
    this.parameters = provider.parameters;
    this.models = provider.models;
  }

  connect(connection: ProviderConnection, surroundings: CallSurroundings = {}): ModelPort {
    const protocol = this.provider.protocolFor(connection.options);
    return new ClientModel(protocol, { ...this.addressed(connection), ...surroundings });
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
    return checkModelCredentials(protocol, this.addressed(connection), model, signal);
  }

  private addressed(connection: ProviderConnection): ProviderConnection & ClientConnection {
    return { ...connection, ...this.provider.addressFor?.(connection) };
  }
}
