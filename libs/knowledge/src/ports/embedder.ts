/** Vectors in the order of the texts. */
export interface Embeddings {
  /** 32-bit floats, with the requested number of dimensions. */
  readonly vectors: readonly Float32Array[];
  /** Token count reported by the server; null if absent. */
  readonly inputTokens: number | null;
  /** The model that answered. */
  readonly model: string;
}

export class EmbeddingError extends Error {
  /**
   * @param reason stable code, in snake_case
   * @param message text for people, without exception text or secrets
   * @param isPassing true if the same call may succeed later
   * @param retryAfterMs delay that the server asks for; null if it names none
   * @param inputTokens tokens charged for the failed call; null if unknown
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

/** Embeds texts with one model of one server. */
export abstract class Embedder {
  /** Maximum texts per call. */
  abstract readonly mostTexts: number;

  /**
   * One call. Repeats it only if the server rejects the request's format, which costs nothing. Throws {@link
   * EmbeddingError} only.
   */
  abstract embed(texts: readonly string[], dimensions: number, signal: AbortSignal): Promise<Embeddings>;
}
