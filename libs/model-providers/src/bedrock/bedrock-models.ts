import type { PredefinedModel } from '../catalogue/predefined-model.js';
import { CLAUDE_MODELS } from '../anthropic/claude-models.js';

/** Ids of the profiles that any region may answer, by the id of the model. */
const PROFILES = {
  'claude-sonnet-4-5-20250929': 'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'claude-haiku-4-5-20251001': 'global.anthropic.claude-haiku-4-5-20251001-v1:0',
} as const;

/** Prices of the global profiles, which are those of the models themselves. */
const NOTE = 'of the global profile; those of a region cost a tenth more';

/** The models that need no configuration. */
export const BEDROCK_MODELS: readonly PredefinedModel[] = CLAUDE_MODELS.flatMap((model) =>
  Object.entries(PROFILES).flatMap(([id, profile]) =>
    id === model.id ? [{ ...model, id: profile, pricing: { ...model.pricing, note: NOTE } }] : [],
  ),
);

/** Names by which the models of a family are known (3.I-13). */
export const BEDROCK_ALIASES = {
  sonnet: PROFILES['claude-sonnet-4-5-20250929'],
  haiku: PROFILES['claude-haiku-4-5-20251001'],
} as const;
