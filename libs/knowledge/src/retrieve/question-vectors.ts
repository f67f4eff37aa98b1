import { fromHalfVector, toHalfVector } from '../chunks/half-vector.js';
import type { EmbeddingService } from '../ingest/embed-texts.js';
import type { SearchedDatasource, VectorSpace } from '../ports/chunk-index.js';
import { EmbeddingError } from '../ports/embedder.js';
import type { EmbeddingUsage } from '../ports/ingestion-store.js';
import { RetrievalError } from './retrieval.js';

/** Throws `EmbeddingError` if the model configuration is unusable. */
export type ServiceOfSpace = (tenantId: string, space: VectorSpace) => Promise<EmbeddingService>;

/** Datasources of one space, with the question's unit vector there. */
export interface AskedSpace {
  readonly space: VectorSpace;
  readonly datasourceIds: readonly number[];
  readonly vector: Float32Array;
}

/**
 * Maximum characters embedded: models accept 8 191 tokens, and a token has at least one character in nearly all cases.
 */
const MAX_CHARS = 8_000;

/** Embeds one question, with one call per space, and records the calls. */
export class QuestionVectors {
  readonly calls: EmbeddingUsage[] = [];

  constructor(
    private readonly serviceOf: ServiceOfSpace,
    private readonly tenantId: string,
    private readonly question: string,
  ) {}

  /** Throws {@link RetrievalError}. */
  async of(datasources: readonly SearchedDatasource[], signal: AbortSignal): Promise<readonly AskedSpace[]> {
    const spaces: AskedSpace[] = [];
    for (const { space, datasourceIds } of groupBySpace(datasources))
      spaces.push({ space, datasourceIds, vector: await this.ask(space, signal) });
    return spaces;
  }

  private async ask(space: VectorSpace, signal: AbortSignal): Promise<Float32Array> {
    const call = this.calls.length + 1;
    let isAsked = false;
    try {
      const { embedder, costOf } = await this.serviceOf(this.tenantId, space);
      isAsked = true;
      const text = this.question.slice(0, MAX_CHARS).toWellFormed();
      const { vectors, inputTokens, model } = await embedder.embed([text], space.dimensions, signal);
      const costUsd = inputTokens === null ? null : costOf(inputTokens);
      const state = inputTokens === null ? 'unknown' : 'known';
      this.calls.push({ call, state, model, inputTokens, costUsd });
      return readVector(vectors, space);
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      const { inputTokens, message, isPassing, retryAfterMs } = error;
      if (isAsked && this.calls.length < call)
        this.calls.push({ call, state: 'failed', model: space.embedModel, inputTokens, costUsd: null });
      throw new RetrievalError('embedding_failed', message, isPassing, this.calls, retryAfterMs);
    }
  }
}

/** Rounds to 16-bit floats like stored vectors, so that equal texts have equal vectors. */
function readVector(vectors: readonly Float32Array[], { dimensions }: VectorSpace): Float32Array {
  const [vector] = vectors;
  const half = vectors.length === 1 && vector?.length === dimensions ? toHalfVector(vector) : null;
  if (half !== null) return fromHalfVector(half);
  const text = `The model does not answer one vector of ${dimensions} components for the question.`;
  throw new EmbeddingError('wrong_vectors', text, false);
}

function groupBySpace(
  datasources: readonly SearchedDatasource[],
): readonly { readonly space: VectorSpace; readonly datasourceIds: readonly number[] }[] {
  const groups = new Map<string, { space: VectorSpace; datasourceIds: number[] }>();
  for (const { datasourceId, llmId, embedModel, dimensions } of datasources) {
    const key = JSON.stringify([llmId, embedModel, dimensions]);
    const group = groups.get(key) ?? { space: { llmId, embedModel, dimensions }, datasourceIds: [] };
    group.datasourceIds.push(datasourceId);
    groups.set(key, group);
  }
  return [...groups.values()];
}
