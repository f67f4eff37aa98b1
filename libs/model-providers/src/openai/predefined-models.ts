import type { PredefinedModel } from '../catalogue/predefined-model.js';

/** Date on which the list prices below were checked against public price tables. */
const PRICES_AS_OF = '2026-05-13';
const CONTEXT_SIZE = 400_000;
/** Models that read images also read PDFs, as text and as page images. */
const NATIVE_MEDIA = ['image', 'pdf'] as const;

/**
 * The eight models that need no configuration (S1-12); all of them reason. US dollars per million tokens, standard
 * tier.
 */
export const OPENAI_MODELS: readonly PredefinedModel[] = [
  model('gpt-5.2', 'GPT-5.2', '1.75', '0.175', '14'),
  model('gpt-5.2-pro', 'GPT-5.2 pro', '21', '21', '168', 'no discount for cached input is published'),
  model('gpt-5', 'GPT-5', '1.25', '0.125', '10'),
  model('gpt-5-mini', 'GPT-5 mini', '0.25', '0.025', '2'),
  model('gpt-5-nano', 'GPT-5 nano', '0.05', '0.005', '0.4'),
  model('gpt-5-codex', 'GPT-5-Codex', '1.25', '0.125', '10'),
  model('gpt-5.1-codex', 'GPT-5.1-Codex', '1.25', '0.125', '10'),
  model('gpt-5.3-codex', 'GPT-5.3-Codex', '1.75', '0.175', '14'),
];

function model(
  id: string,
  label: string,
  input: string,
  cachedInput: string,
  output: string,
  note?: string,
): PredefinedModel {
  const prices = { input, cached_input: cachedInput, output, as_of: PRICES_AS_OF };
  const pricing = { currency: 'USD', ...prices, ...(note !== undefined && { note }) };
  return { id, label, contextSize: CONTEXT_SIZE, nativeMedia: NATIVE_MEDIA, pricing };
}
