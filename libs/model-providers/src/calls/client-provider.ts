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
  type ModelListing,
} from './check-credentials.js';
import { baseUrlOf, type ClientConnection } from './connection.js';
import { ClientModel } from './client-model.js';
import type { WireProtocol } from './wire-protocol.js';

type Described = 'id' | 'label' | 'credentials' | 'parameters' | 'models';
type ClientProviderOptions = Pick<ModelProvider, Described> & {
  readonly aliases?: ModelProvider['aliases'];
  /** Failures of the list of models that say nothing about the key, because not every server has one. */
  readonly toleratedFailures: readonly string[];
  readonly listing?: ModelListing;
  /** URL of the server that lists the models, where another one does. */
  listingBaseFor?(baseUrl: string): string;
  /** `options` of the credentials. */
  protocolFor(options: JsonObject): WireProtocol;
  /** How requests are addressed; by default to OpenAI, with the key as a bearer token. */
  addressFor?(connection: ProviderConnection): Pick<ClientConnection, 'headers' | 'query' | 'home' | 'sign'>;
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
    const { listing, toleratedFailures } = this.provider;
    const addressed = this.addressed(connection);
    const baseUrl = this.provider.listingBaseFor?.(baseUrlOf(addressed)) ?? addressed.baseUrl;
    const check = await checkProviderCredentials({ ...addressed, baseUrl }, signal, listing);
    return !check.ok && toleratedFailures.includes(check.reason) ? { ok: true } : check;
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
    return { ...connection, ...this.provider.addressFor?.(connection) };
  }
}
