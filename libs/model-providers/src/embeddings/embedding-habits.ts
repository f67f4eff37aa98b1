import type { ModelCallError } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';

/** Default maximum texts per call: OpenAI accepts 2 048, but some servers, such as vLLM by default, far fewer. */
const MAX_TEXTS = 64;

/** Request format that a server accepts. */
export interface EmbeddingHabits {
  /** True if the server accepts `dimensions`; servers of models with a fixed dimension may reject it. */
  readonly takesDimensions: boolean;
  /** True if the server accepts `encoding_format`. */
  readonly takesFormat: boolean;
  /** Maximum texts per call. */
  readonly maxTexts: number;
}

export const USUAL_HABITS: EmbeddingHabits = {
  takesDimensions: true,
  takesFormat: true,
  maxTexts: MAX_TEXTS,
};

/** Request format according to the model configuration's options. */
export function habitsOf(options: JsonObject): EmbeddingHabits {
  const batch = options['embedding_batch_size'];
  return {
    takesDimensions: options['embedding_dimensions'] !== false,
    takesFormat: true,
    maxTexts: typeof batch === 'number' ? batch : MAX_TEXTS,
  };
}

/** HTTP statuses that may mean an unsupported request format. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 413, 422]);
const OF_DIMENSIONS = /dimension|matryoshka/i;
const OF_FORMAT = /encoding_format|encoding format/i;
const OF_COUNT =
  /batch|too many|too large|number of (?:inputs?|texts?|items?)|at most|no more than|(?:larger|greater|more) than|array length/i;

/** Format for the repetition; `isLearned` if the server named the reason, so that other calls use it as well. */
export interface Adaptation {
  readonly habits: EmbeddingHabits;
  readonly isLearned: boolean;
}

/**
 * Adapts the request format after a failure; null if that would not help. A rejection without a clear reason is
 * repeated with half of the texts, since one text may be the cause. Pure.
 */
export function adapt(
  { message, details }: Pick<ModelCallError, 'message' | 'details'>,
  asked: EmbeddingHabits,
  texts: number,
): Adaptation | null {
  const { status } = details;
  if (!REFUSALS.has(status)) return null;
  if (asked.takesDimensions && OF_DIMENSIONS.test(message))
    return { habits: { ...asked, takesDimensions: false }, isLearned: true };
  if (asked.takesFormat && OF_FORMAT.test(message))
    return { habits: { ...asked, takesFormat: false }, isLearned: true };
  if (texts <= 1) return null;
  const isOfCount = status === 413 || OF_COUNT.test(message);
  const maxTexts = (isOfCount ? limitIn(message, texts) : null) ?? Math.ceil(texts / 2);
  return { habits: { ...asked, maxTexts }, isLearned: isOfCount };
}

/** The maximum number of texts that an error message names, if it is lower than the number sent. */
function limitIn(message: string, texts: number): number | null {
  const numbers = (message.match(/\b\d{1,5}\b/g) ?? []).map(Number);
  const possible = numbers.filter((number) => number >= 1 && number < texts);
  return possible.length === 0 ? null : Math.max(...possible);
}

/** Request formats learned per server, for the lifetime of the process. */
export class KnownHabits {
  private readonly known = new Map<string, EmbeddingHabits>();

  /** @param set format of the model configuration, overridden by learned rejections */
  of(server: string, set: EmbeddingHabits): EmbeddingHabits {
    return this.known.get(server) ?? set;
  }

  learn(server: string, habits: EmbeddingHabits): void {
    this.known.delete(server);
    this.known.set(server, habits);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_SERVERS && oldest !== undefined) this.known.delete(oldest);
  }
}

/** Maximum entries; the oldest is evicted. */
const MAX_SERVERS = 1_000;
