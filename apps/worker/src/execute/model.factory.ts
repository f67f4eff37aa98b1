import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import {
  type AuditLog,
  costOf,
  type ModelCatalogue,
  type ModelHosts,
  OpenAiModel,
  resolveConnection,
  type Pricing,
} from '#libs/model-providers';
import { ModelFactory, type ResolvedModel, type StoredLlm } from '#libs/executions';
import { llmKeyPlace, type SecretBox } from '#libs/secrets';
import { guardedAgent } from '#libs/webhooks';

/** Model configurations whose client is kept; a process seldom meets more. */
const MOST_CLIENTS = 200;
/** The longest time that a model configuration can allow (S1-10). */
const LONGEST_CALL_MS = 900_000;

export class OpenAiModelFactory extends ModelFactory {
  /** By key and settings: making a client costs more than a round trip to the database. */
  private readonly known = new Map<string, Pick<ResolvedModel, 'model' | 'maxRetries'>>();
  private readonly publicOnly = guardedAgent({ allowLoopback: false, timeoutMs: LONGEST_CALL_MS });

  constructor(
    private readonly config: AppConfig['openai'],
    private readonly secrets: SecretBox | null,
    private readonly catalogue: ModelCatalogue,
    private readonly audit: AuditLog,
    private readonly hosts: ModelHosts,
  ) {
    super();
  }

  override of(llm: StoredLlm): ResolvedModel {
    const pricing = this.catalogue.pricingOf(llm.model, llm.pricing);
    return {
      ...this.clientOf(llm),
      prices: pricing === null ? null : listed(pricing),
      costOf: (tokens) => (pricing?.currency === 'USD' ? costOf(tokens, pricing) : null),
    };
  }

  private clientOf(llm: StoredLlm): Pick<ResolvedModel, 'model' | 'maxRetries'> {
    const key = JSON.stringify([llm.tenantId, llm.id, llm.apiKeySealed, llm.credentials]);
    const known = this.known.get(key);
    if (known) return known;
    const made = this.connect(llm);
    if (this.known.size >= MOST_CLIENTS) this.known.clear();
    this.known.set(key, made);
    return made;
  }

  private connect(llm: StoredLlm): Pick<ResolvedModel, 'model' | 'maxRetries'> {
    const apiKey = llm.apiKeySealed === null ? null : this.open(llm.apiKeySealed, llm);
    const { maxRetries, isOwnServer, ...connection } = resolveConnection(
      { apiKey, settings: llm.credentials },
      this.config,
    );
    // The operator's own server may stand anywhere; one that a tenant names may not, unless the operator says so.
    const guard = isOwnServer && !this.config.allowPrivateHosts ? { dispatcher: this.publicOnly } : {};
    const caller = JSON.stringify([llm.tenantId, llm.id]);
    return {
      maxRetries,
      model: new OpenAiModel({ ...connection, ...guard, audit: this.audit, hosts: this.hosts, caller }),
    };
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
