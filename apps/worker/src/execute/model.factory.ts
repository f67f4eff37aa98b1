import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import {
  type CallSurroundings,
  costOf,
  ModelCatalogue,
  type Pricing,
  type ProviderRegistry,
  resolveConnection,
} from '#libs/model-providers';
import { ModelFactory, type ResolvedModel, type StoredLlm } from '#libs/executions';
import { llmKeyPlace, type SecretBox } from '#libs/secrets';
import { guardedAgent } from '#libs/guarded-fetch';

type Client = Pick<ResolvedModel, 'model' | 'maxRetries'>;

/** Model configurations whose client is kept; a process seldom meets more. */
const MOST_CLIENTS = 200;
/** The longest time that a model configuration can allow (S1-10). */
const LONGEST_CALL_MS = 900_000;

/** Resolves the model configuration of an agent by its provider: its own key and server, or those of the process. */
export class ProviderModelFactory extends ModelFactory {
  /** By key and settings: making a client costs more than a round trip to the database. */
  private readonly known = new Map<string, Client>();
  private readonly publicOnly = guardedAgent({ allowLoopback: false, timeoutMs: LONGEST_CALL_MS });
  private readonly catalogue: ModelCatalogue;

  constructor(
    private readonly config: AppConfig['models'],
    private readonly secrets: SecretBox | null,
    private readonly providers: ProviderRegistry,
    private readonly surroundings: Pick<CallSurroundings, 'audit' | 'hosts'>,
  ) {
    super();
    this.catalogue = new ModelCatalogue(providers);
  }

  /** Throws an `AppError` that may become the execution's error where the configuration cannot be used. */
  override of(llm: StoredLlm): ResolvedModel {
    const pricing = this.catalogue.pricingOf(llm);
    return {
      ...this.clientOf(llm),
      parameters: this.providers.get(llm.provider).parameters,
      prices: pricing === null ? null : listed(pricing),
      costOf: (tokens) => (pricing?.currency === 'USD' ? costOf(tokens, pricing) : null),
    };
  }

  private clientOf(llm: StoredLlm): Client {
    const key = JSON.stringify([llm.tenantId, llm.id, llm.provider, llm.apiKeySealed, llm.credentials]);
    const known = this.known.get(key);
    if (known) return known;
    const made = this.connect(llm);
    if (this.known.size >= MOST_CLIENTS) this.known.clear();
    this.known.set(key, made);
    return made;
  }

  private connect(llm: StoredLlm): Client {
    const provider = this.providers.get(llm.provider);
    const apiKey = llm.apiKeySealed === null ? null : this.open(llm.apiKeySealed, llm);
    const { maxRetries, isOwnServer, ...connection } = resolveConnection(
      provider.credentials,
      { apiKey, settings: llm.credentials },
      this.config.connections[llm.provider] ?? { apiKey: null, baseUrl: null },
    );
    // The operator's own server may stand anywhere; one that a tenant names may not, unless the operator says so.
    const guard = isOwnServer && !this.config.allowPrivateHosts ? { dispatcher: this.publicOnly } : {};
    const caller = JSON.stringify([llm.tenantId, llm.id]);
    const model = provider.connect({ ...connection, ...guard }, { ...this.surroundings, caller });
    return { maxRetries, model };
  }

  private open(sealed: string, llm: StoredLlm): string {
    if (this.secrets) return this.secrets.open(sealed, llmKeyPlace(llm.tenantId, llm.id));
    throw new AppError({
      code: 'SECRET_UNREADABLE',
      kind: 'internal',
      message: 'ENCRYPTION_KEY is not set in this process',
    });
  }
}

/** Prices are listed per million tokens. */
function listed({ currency, input, output }: Pricing): ResolvedModel['prices'] {
  return { currency, promptUnitPrice: input, completionUnitPrice: output, priceUnit: '0.000001' };
}
