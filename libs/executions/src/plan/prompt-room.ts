import { utf8Length, type JsonObject } from '#libs/kernel';
import type { LoopParameters } from '#libs/payloads';
import type { ResolvedModel, Tokenizer } from '../ports/model-factory.js';

/** Tokens of an answer for which nobody has set a limit. */
const USUAL_ANSWER_TOKENS = 8_192;
/** Of what a model reads at once, for such an answer: a small model would have no room for anything else. */
const MOST_OF_CONTEXT = 0.25;

/** Tokens that a model reads of a whole prompt, beside its answer. Negative where the answer alone is to take more. */
export function promptRoom(
  { context_size: wanted }: Pick<LoopParameters, 'context_size'>,
  parameters: JsonObject,
  { contextSize: usual }: Pick<ResolvedModel, 'contextSize'>,
): number {
  const contextSize = wanted ?? usual;
  const { max_output_tokens: given } = parameters;
  const tokens = typeof given === 'string' ? Number.parseInt(given, 10) : given;
  const isGiven = typeof tokens === 'number' && tokens > 0;
  const guess = Math.min(USUAL_ANSWER_TOKENS, Math.floor(contextSize * MOST_OF_CONTEXT));
  return contextSize - (isGiven ? tokens : guess);
}

/**
 * Tokens of these texts, or more. They are counted only where that matters: no token is shorter than a byte, and mostly
 * there is `room` for that many.
 */
export function tokensOf(
  texts: readonly string[],
  room: number,
  tokenizer: Pick<Tokenizer, 'count'>,
): number {
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  return bytes <= room ? bytes : texts.reduce((sum, text) => sum + tokenizer.count(text), 0);
}
