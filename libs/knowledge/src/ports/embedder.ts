/** Vectors of texts, in the order of the texts. */
export interface Embeddings {
  /** 32-bit floats; each of as many components as were asked for. */
  readonly vectors: readonly Float32Array[];
  /** As the server says; null where it does not. */
  readonly inputTokens: number | null;
  /** The model that answered. */
  readonly model: string;
}

/** Why there are no vectors. */
export class EmbeddingError extends Error {
  /**
   * @param reason stable, in snake_case
   * @param message for people: no exception text, no secret
   * @param isPassing whether the same call may succeed later
   * @param retryAfterMs what the server asks for; null where it says nothing
   * @param inputTokens what the failed call has cost all the same; null where nobody knows
   */
  constructor(
    readonly reason: string,
    message: string,
    readonly isPassing: boolean,
    readonly retryAfterMs: number | null = null,
    readonly inputTokens: number | null = null,
  ) {
    super(message);
    this.name = 'EmbeddingError';
  }
}

/** Makes vectors of texts, by one model of one server. */
export abstract class Embedder {
  /** Texts of one call at most. */
  abstract readonly mostTexts: number;

  /**
   * One answer. Asked again here only where a server refuses how it was asked, which costs nothing. Throws
   * {@link EmbeddingError}, and nothing else.
   */
  abstract embed(texts: readonly string[], dimensions: number, signal: AbortSignal): Promise<Embeddings>;
}
