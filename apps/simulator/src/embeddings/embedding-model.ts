import type { ModelCard } from '../models/simulated-model.js';

/** Components of a vector when the request does not say; more are not allowed than the maximum. */
export const DEFAULT_DIMENSIONS = 256;
export const MAX_DIMENSIONS = 3072;

export const EMBEDDING_MODEL: ModelCard = {
  id: 'sim-embedding',
  created: 1_767_225_600,
  description:
    'Simulator: embeds a text by hashing its character n-grams. Texts that share spelling are near each other; it is ' +
    'not a language model and knows no meanings.',
};
