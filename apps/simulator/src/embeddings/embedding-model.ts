import { MODELS_CREATED, type ModelCard } from '../models/simulated-model.js';
import { embedText } from './embed-text.js';
import { embedWords } from './embed-words.js';

/** A model that embeds texts. */
export interface EmbeddingModel {
  readonly card: ModelCard;
  /** Returns a vector of unit length, deterministic for a text. */
  readonly embed: (text: string, dimensions: number) => Float32Array;
}

export const EMBEDDING_MODELS: readonly EmbeddingModel[] = [
  {
    card: {
      id: 'sim-embedding',
      created: MODELS_CREATED,
      description:
        'Simulator: embeds a text by hashing its character n-grams. Texts that share spelling are near each other; it is ' +
        'not a language model and knows no meanings.',
    },
    embed: embedText,
  },
  {
    card: {
      id: 'sim-words',
      created: MODELS_CREATED,
      description:
        'Simulator: embeds a text by hashing its words. Texts that share words are near each other, others are not; it is ' +
        'not a language model and knows no meanings.',
    },
    embed: embedWords,
  },
];
