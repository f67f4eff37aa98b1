import { Injectable } from '@nestjs/common';
import { AppError } from '#libs/kernel';
import { EmbeddingError, type EmbeddingService, type IngestionSettings } from '#libs/knowledge';
import { costOf, KnownHabits, ModelCatalogue, ProviderRegistry } from '#libs/model-providers';
import { LlmStore } from '#libs/persistence';
import { ModelConnections } from '../models/model-connections.js';

/** Provides the embedding model of a datasource, with server and key of its model configuration. */
@Injectable()
export class EmbeddingServices {
  private readonly catalogue: ModelCatalogue;
  private readonly habits = new KnownHabits();

  constructor(
    private readonly llms: LlmStore,
    private readonly connections: ModelConnections,
    private readonly providers: ProviderRegistry,
  ) {
    this.catalogue = new ModelCatalogue(providers);
  }

  /** Throws `EmbeddingError` if the model configuration is missing, inactive or unusable. */
  async of(
    tenantId: string,
    { llmId, embedModel }: Pick<IngestionSettings, 'llmId' | 'embedModel'>,
  ): Promise<EmbeddingService> {
    const llm = await this.llms.findSealed(tenantId, llmId);
    if (llm?.isActive !== true)
      throw new EmbeddingError('inactive', 'The model configuration of the datasource is not active.', false);
    try {
      const { connection } = this.connections.of(llm);
      // The configuration's own prices apply only to its own model.
      const ownPrices = llm.model === embedModel ? llm.pricing : null;
      const prices = this.catalogue.pricingOf({ ...llm, model: embedModel, pricing: ownPrices });
      return {
        embedder: this.providers.get(llm.provider).embedder(connection, embedModel, this.habits),
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
