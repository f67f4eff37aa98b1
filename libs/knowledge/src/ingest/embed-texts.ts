import { embeddedText } from '../chunks/chunk.js';
import { toHalfVector } from '../chunks/half-vector.js';
import { EmbeddingError, type Embedder, type Embeddings } from '../ports/embedder.js';
import type {
  ClaimedIngestion,
  EmbeddedText,
  EmbeddingUsage,
  IngestionSettings,
  IngestionStore,
  UnembeddedText,
} from '../ports/ingestion-store.js';
import { batchesOf } from './embedding-batches.js';
import type { IngestionError } from './ingestion-error.js';

/** Embedder of a datasource, with its prices. */
export interface EmbeddingService {
  readonly embedder: Embedder;
  /** Cost in US dollars as exact decimal text; null if no price is known. */
  readonly costOf: (inputTokens: number) => string | null;
}

export interface EmbedDependencies {
  readonly ingestions: IngestionStore;
  /** Throws {@link EmbeddingError} if the model configuration is unusable. */
  readonly serviceOf: (tenantId: string, settings: IngestionSettings) => Promise<EmbeddingService>;
  /** Counts a call against the tenant's rate limit; returns the milliseconds to wait if it is exhausted, else null. */
  readonly limitOf: (tenantId: string) => Promise<number | null>;
}

export type EmbedEnding =
  | { readonly kind: 'done' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'put_off'; readonly delayMs: number }
  | {
      readonly kind: 'failed';
      readonly error: IngestionError;
      readonly isPassing: boolean;
      readonly retryAfterMs: number | null;
      /** Consecutive failures before this one. */
      readonly tries: number;
    };

/** Texts fetched per query, enough for several calls. */
const TEXTS_AT_ONCE = 500;
/** Maximum tokens per call: half of the lowest known limit of a server. */
const MAX_TOKENS = 150_000;

/**
 * Embeds the missing texts of a generation, in batches. Each call is announced before it is sent, and recorded together
 * with its vectors. After a worker crash only the calls under way are repeated; their cost stays unknown.
 */
export class EmbedTexts {
  /** Consecutive failures; reset by a success. */
  private tries: number;

  constructor(
    private readonly given: EmbedDependencies,
    private readonly held: ClaimedIngestion,
    private readonly drain: AbortSignal,
    private readonly lost: AbortSignal,
  ) {
    this.tries = held.tries;
  }

  /** Consecutive failures, including those before `run`. */
  get failuresInRow(): number {
    return this.tries;
  }

  async run(): Promise<EmbedEnding> {
    try {
      const service = await this.given.serviceOf(this.held.tenantId, this.held.settings);
      for (;;) {
        const missing = await this.given.ingestions.findUnembedded(this.held, TEXTS_AT_ONCE);
        if (missing.length === 0) return { kind: 'done' };
        for (const batch of batchesOf(missing, { texts: service.embedder.mostTexts, tokens: MAX_TOKENS })) {
          const ending = await this.embed(service, batch);
          if (ending !== null) return ending;
        }
      }
    } catch (error) {
      if (error instanceof EmbeddingError) return failed(error, this.tries);
      throw error;
    }
  }

  /** Null on success. */
  private async embed(
    service: EmbeddingService,
    batch: readonly UnembeddedText[],
  ): Promise<EmbedEnding | null> {
    const { ingestions, limitOf } = this.given;
    if (this.drain.aborted) return { kind: 'put_off', delayMs: 0 };
    const waitMs = await limitOf(this.held.tenantId);
    if (waitMs !== null) return { kind: 'put_off', delayMs: waitMs };
    const call = await ingestions.beginCall(this.held);
    if (call === null) return { kind: 'lost' };
    const { usage, embedded, error } = await this.ask(service, batch, call);
    if ((await ingestions.endCall(this.held, usage, embedded)) === 'lost') return { kind: 'lost' };
    if (error !== null) return failed(error, this.tries);
    this.tries = 0;
    return null;
  }

  private async ask(
    { embedder, costOf }: EmbeddingService,
    batch: readonly UnembeddedText[],
    call: number,
  ): Promise<{ usage: EmbeddingUsage; embedded: readonly EmbeddedText[]; error: EmbeddingError | null }> {
    const { dimensions, embedModel } = this.held.settings;
    const cost = (tokens: number | null) => (tokens === null ? null : costOf(tokens));
    try {
      const answer = await embedder.embed(batch.map(embeddedText), dimensions, this.lost);
      const { inputTokens, model } = answer;
      const embedded = readVectors(answer, batch, dimensions);
      const state = inputTokens === null ? 'unknown' : 'known';
      const usage = { call, state, model, inputTokens, costUsd: cost(inputTokens) } as const;
      return {
        usage,
        embedded: embedded ?? [],
        error: embedded === null ? wrongVectors(answer, dimensions) : null,
      };
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      const { inputTokens } = error;
      // An aborted call may still have been processed by the server.
      const state = this.lost.aborted ? 'unknown' : 'failed';
      const usage = { call, state, model: embedModel, inputTokens, costUsd: cost(inputTokens) } as const;
      return { usage, embedded: [], error };
    }
  }
}

/** Null unless there is one vector of the right dimension per text. */
function readVectors(
  { vectors }: Embeddings,
  batch: readonly UnembeddedText[],
  dimensions: number,
): readonly EmbeddedText[] | null {
  if (vectors.length !== batch.length) return null;
  const embedded: EmbeddedText[] = [];
  for (const [index, { contentHash }] of batch.entries()) {
    const vector = vectors[index];
    const half = vector?.length === dimensions ? toHalfVector(vector) : null;
    if (half === null) return null;
    embedded.push({ contentHash, vector: half });
  }
  return embedded;
}

function wrongVectors({ vectors }: Embeddings, dimensions: number): EmbeddingError {
  const other = vectors.find(({ length }) => length !== dimensions)?.length;
  const given = other === undefined ? 'no usable vector' : `a vector of ${other} components`;
  const text = `The model answers ${given} for a text; the datasource takes one vector of ${dimensions} components for each text: see \`dimensions\` of the datasource.`;
  return new EmbeddingError('wrong_vectors', text, false);
}

function failed({ message, isPassing, retryAfterMs }: EmbeddingError, tries: number): EmbedEnding {
  return {
    kind: 'failed',
    error: { code: 'EMBEDDING_FAILED', text: message },
    isPassing,
    retryAfterMs,
    tries,
  };
}
