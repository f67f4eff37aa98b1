import type { CostOf, ModelPort } from '#libs/agent-core';
import type { AppConfig } from '#libs/config';
import { AppError, type JsonObject } from '#libs/kernel';
import {
  type AuditLog,
  costOf,
  type ModelCatalogue,
  normalizeCredentials,
  OpenAiModel,
  pricingSchema,
  type Pricing,
} from '#libs/model-providers';
import type { StoredLlm } from '#libs/persistence';
import { llmKeyPlace, type SecretBox } from '#libs/secrets';

/** A model configuration, ready to be asked. */
export interface ResolvedModel {
  readonly model: ModelPort;
  readonly costOf: CostOf;
  /** How often a failed call is tried again, 0..5 (S1-11). */
  readonly maxRetries: number;
}

/** Resolves the model configuration of an agent: its own key and server, or those of the process. */
export abstract class ModelFactory {
  abstract of(llm: StoredLlm): ResolvedModel;
}

/** A compatible server may need no key; the client refuses to be made without one. */
const NO_KEY = 'no-key';

export class OpenAiModelFactory extends ModelFactory {
  constructor(
    private readonly config: AppConfig['openai'],
    private readonly secrets: SecretBox | null,
    private readonly catalogue: ModelCatalogue,
    private readonly audit: AuditLog,
  ) {
    super();
  }

  override of(llm: StoredLlm): ResolvedModel {
    const { maxRetries, ...connection } = normalizeCredentials(this.credentialsOf(llm));
    const pricing = llm.pricing === null ? this.knownPricing(llm.model) : pricingSchema.parse(llm.pricing);
    return {
      maxRetries,
      model: new OpenAiModel({ ...connection, audit: this.audit }),
      costOf: (tokens) => (pricing?.currency === 'USD' ? costOf(tokens, pricing) : null),
    };
  }

  /** What nobody has priced is not free: its cost is not known. */
  private knownPricing(model: string): Pricing | null {
    const described = this.catalogue.describe(model);
    return described.source === 'predefined-model' ? described.pricing : null;
  }

  private open(sealed: string, llm: StoredLlm): string {
    if (this.secrets) return this.secrets.open(sealed, llmKeyPlace(llm.tenantId, llm.id));
    throw new AppError({
      code: 'SECRET_UNREADABLE',
      kind: 'internal',
      message: 'ENCRYPTION_KEY is not set in this process',
    });
  }

  private credentialsOf(llm: StoredLlm): JsonObject {
    const ownKey = llm.apiKeySealed === null ? null : this.open(llm.apiKeySealed, llm);
    const ownBase = llm.credentials['openai_api_base'];
    // The key of the process goes to the server of the process and nowhere else.
    const processKey = ownBase ? null : this.config.apiKey;
    return {
      ...llm.credentials,
      openai_api_key: ownKey ?? processKey ?? NO_KEY,
      openai_api_base: ownBase ?? (ownKey === null ? this.config.baseUrl : null),
    };
  }
}
