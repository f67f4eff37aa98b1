import type { Pricing } from '../catalogue/model-description.js';
import type { PredefinedModel } from '../catalogue/predefined-model.js';

/** Date on which the list prices below were checked against public price tables. */
const PRICES_AS_OF = '2026-11-28';
/** Models that read images also read PDFs, as text and as page images. */
const NATIVE_MEDIA = ['image', 'pdf'] as const;

/** US dollars per million tokens. */
type Prices = Pick<Pricing, 'input' | 'cached_input' | 'cache_write_5m' | 'cache_write_1h' | 'output'>;

/** The models that need no configuration; all of them reason. US dollars per million tokens, standard tier. */
export const CLAUDE_MODELS: readonly PredefinedModel[] = [
  model('claude-fable-5-2', 'Claude Fable 5.2', 1_000_000, prices('8', '0.2', '10', '16', '40')),
  model('claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, prices('4', '0.2', '5', '8', '20')),
  model('claude-sonnet-5-5', 'Claude Sonnet 5.5', 1_000_000, prices('2', '0.1', '2.5', '4', '10')),
  model('claude-haiku-5-5', 'Claude Haiku 5.5', 1_000_000, {
    ...prices('0.1', '0.01', '0.125', '0.2', '0.5'),
    long_prompt: { above_tokens: 100_000, ...prices('0.5', '0.05', '0.625', '1', '2.5') },
  }),
  model('claude-sonnet-4-5-20250929', 'Claude Sonnet 4.5', 200_000, prices('3', '0.3', '3.75', '6', '15')),
  model('claude-haiku-4-5-20251001', 'Claude Haiku 4.5', 200_000, prices('1', '0.1', '1.25', '2', '5')),
];

/** Names by which the models of a family are known, for the newest of each. */
export const CLAUDE_ALIASES = {
  fable: 'claude-fable-5-2',
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
} as const;

function model(
  id: string,
  label: string,
  contextSize: number,
  pricing: Omit<Pricing, 'currency' | 'as_of'>,
): PredefinedModel {
  return {
    id,
    label,
    contextSize,
    nativeMedia: NATIVE_MEDIA,
    pricing: { currency: 'USD', ...pricing, as_of: PRICES_AS_OF },
  };
}

function prices(input: string, cached: string, short: string, long: string, output: string): Prices {
  return { input, cached_input: cached, cache_write_5m: short, cache_write_1h: long, output };
}
