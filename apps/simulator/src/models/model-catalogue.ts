import { modelNotFound } from '../http/api-error.js';
import { EMBEDDING_MODELS } from '../embeddings/embedding-model.js';
import type { ModelCard, SimulatedModel } from './simulated-model.js';

/** The models of this server by id. */
export class ModelCatalogue {
  constructor(private readonly models: readonly SimulatedModel[]) {}

  /** Throws the 404 of the real API for an id without an answering model. */
  find(id: string): SimulatedModel {
    const model = this.models.find((candidate) => candidate.card.id === id);
    if (model === undefined) throw modelNotFound(id);
    return model;
  }

  /** All models, including embedding models. */
  cards(): readonly ModelCard[] {
    return [...this.models, ...EMBEDDING_MODELS].map(({ card }) => card);
  }

  /** Throws the 404 of the real API for an unknown id. */
  card(id: string): ModelCard {
    const card = this.cards().find((candidate) => candidate.id === id);
    if (card === undefined) throw modelNotFound(id);
    return card;
  }
}

/** A model in the format of `GET /v1/models`; `description` is an addition of this server. */
export function showModel(card: ModelCard): Readonly<Record<string, string | number>> {
  return {
    id: card.id,
    object: 'model',
    created: card.created,
    owned_by: 'simulator',
    description: card.description,
  };
}
