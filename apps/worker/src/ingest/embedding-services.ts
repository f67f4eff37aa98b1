import type { AppConfig } from '#libs/config';
import { AppError } from '#libs/kernel';
import { EmbeddingError, type EmbeddingService, type IngestionSettings } from '#libs/knowledge';
import { costOf, KnownHabits, ModelCatalogue, modelProviders } from '#libs/model-providers';
import type { LlmStore } from '#libs/persistence';
import type { SecretBox } from '#libs/secrets';
import { ModelConnections } from '../execute/model-connections.js';

/** Who makes the vectors of a datasource: its model, at the server and with the key of its model configuration. */
export class EmbeddingServices {
  private readonly connections: ModelConnections;
  private readonly catalogue = new ModelCatalogue(modelProviders);
  private readonly habits = new KnownHabits();

  constructor(
    private readonly llms: Pick<LlmStore, 'findSealed'>,
    config: AppConfig['models'],
    secrets: SecretBox | null,
  ) {
    this.connections = new ModelConnections(config, secrets, modelProviders);
  }

  /** Throws `EmbeddingError` where the model configuration is gone, inactive, or cannot be used. */
  async of(
    tenantId: string,
    { llmId, embedModel }: Pick<IngestionSettings, 'llmId' | 'embedModel'>,
  ): Promise<EmbeddingService> {
    const llm = await this.llms.findSealed(tenantId, llmId);
    if (llm?.isActive !== true)
      throw new EmbeddingError('inactive', 'The model configuration of the datasource is not active.', false);
    try {
      const { connection } = this.connections.of(llm);
      // Prices of the configuration are those of its own model.
      const ownPrices = llm.model === embedModel ? llm.pricing : null;
      const prices = this.catalogue.pricingOf({ ...llm, model: embedModel, pricing: ownPrices });
      return {
        embedder: modelProviders.get(llm.provider).embedder(connection, embedModel, this.habits),
        costOf: (inputTokens) =>
          prices?.currency === 'USD'
            ? costOf({ ...NOTHING, input_tokens: inputTokens, total_tokens: inputTokens }, prices)
            : null,
      };
    } catch (error) {
      if (error instanceof AppError) throw new EmbeddingError('configuration', error.message, false);
      throw error;
    }
  }
}

const NOTHING = { cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };
