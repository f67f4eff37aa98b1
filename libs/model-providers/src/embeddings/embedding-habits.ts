import type { ModelCallError } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';

/** OpenAI takes 2 048 texts in a call; some servers, such as vLLM as it is set up, far fewer. */
const MAX_TEXTS = 64;

/** How a server wants to be asked for vectors. */
export interface EmbeddingHabits {
  /** Whether it takes `dimensions`: a server of a model of one length may refuse the field. */
  readonly takesDimensions: boolean;
  /** Whether it takes `encoding_format`. */
  readonly takesFormat: boolean;
  /** Texts of one call at most. */
  readonly maxTexts: number;
}

export const USUAL_HABITS: EmbeddingHabits = {
  takesDimensions: true,
  takesFormat: true,
  maxTexts: MAX_TEXTS,
};

/** As the options of a model configuration set them. */
export function habitsOf(options: JsonObject): EmbeddingHabits {
  const batch = options['embedding_batch_size'];
  return {
    takesDimensions: options['embedding_dimensions'] !== false,
    takesFormat: true,
    maxTexts: typeof batch === 'number' ? batch : MAX_TEXTS,
  };
}

/** HTTP statuses by which a server says that it wants to be asked otherwise. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 413, 422]);
const OF_DIMENSIONS = /dimension|matryoshka/i;
const OF_FORMAT = /encoding_format|encoding format/i;
const OF_COUNT =
  /batch|too many|too large|number of (?:inputs?|texts?|items?)|at most|no more than|(?:larger|greater|more) than|array length/i;

/** The consequence of a refusal; `isLearned` where the server has said so and other calls shall know. */
export interface Adaptation {
  readonly habits: EmbeddingHabits;
  readonly isLearned: boolean;
}

/**
 * How to ask again after a failure; null where asking otherwise would not help. Pure. A refusal of which the server does not
 * say why is asked again with half of the texts: one text may be the reason.
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

/** The number of texts that a refusal names, if it is one that was exceeded. */
function limitIn(message: string, texts: number): number | null {
  const numbers = (message.match(/\b\d{1,5}\b/g) ?? []).map(Number);
  const possible = numbers.filter((number) => number >= 1 && number < texts);
  return possible.length === 0 ? null : Math.max(...possible);
}

/** How servers want to be asked, as they have said it, for as long as the process lives. */
export class KnownHabits {
  private readonly known = new Map<string, EmbeddingHabits>();

  /** @param set what the model configuration says; a refusal wins over it */
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

/** Servers and models of which habits are kept; the one that was learned of first is forgotten. */
const MAX_SERVERS = 1_000;
