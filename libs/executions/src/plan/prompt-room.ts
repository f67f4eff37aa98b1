import { utf8Length, type JsonObject } from '#libs/kernel';
import type { LoopParameters } from '#libs/payloads';
import type { ResolvedModel, Tokenizer } from '../ports/model-factory.js';

/** Tokens reserved for an answer without a configured limit. */
const USUAL_ANSWER_TOKENS = 8_192;
/** Maximum share of the context reserved for such an answer (0–1), so that small models keep room for the prompt. */
const MAX_OF_CONTEXT = 0.25;

/** Tokens of the context left for the prompt. Negative if the answer's limit exceeds the context. */
export function promptRoom(
  { context_size: wanted }: Pick<LoopParameters, 'context_size'>,
  parameters: JsonObject,
  { contextSize: usual }: Pick<ResolvedModel, 'contextSize'>,
): number {
  const contextSize = wanted ?? usual;
  const { max_output_tokens: given } = parameters;
  const tokens = typeof given === 'string' ? Number.parseInt(given, 10) : given;
  const isGiven = typeof tokens === 'number' && tokens > 0;
  const guess = Math.min(USUAL_ANSWER_TOKENS, Math.floor(contextSize * MAX_OF_CONTEXT));
  return contextSize - (isGiven ? tokens : guess);
}

/**
 * Upper bound for the tokens of these texts. Counted exactly only when their bytes exceed `room`: a token has at least
 * one byte, so that byte length is a cheap bound.
 */
export function tokensOf(
  texts: readonly string[],
  room: number,
  tokenizer: Pick<Tokenizer, 'count'>,
): number {
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  return bytes <= room ? bytes : texts.reduce((sum, text) => sum + tokenizer.count(text), 0);
}
