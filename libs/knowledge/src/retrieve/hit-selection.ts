import { fromHalfVector } from '../chunks/half-vector.js';
import type { FoundChunk } from '../ports/chunk-index.js';
import type { RetrievalHit, RetrievalQuery } from './retrieval.js';

type Terms = Pick<RetrievalQuery, 'topK' | 'scoreThreshold' | 'dedup'>;

/** Selects hits in ranking order, up to `topK`: similar enough, and optionally without duplicates. */
export class HitSelection {
  readonly hits: RetrievalHit[] = [];
  private readonly said = new Set<string>();

  constructor(
    private readonly terms: Terms,
    /** Vector of the question in the datasource's space. */
    private readonly questionOf: (datasourceId: number) => Float32Array | undefined,
  ) {}

  get isFull(): boolean {
    return this.hits.length >= this.terms.topK;
  }

  offer({ vector, ...chunk }: FoundChunk): void {
    const question = this.questionOf(chunk.datasourceId);
    if (this.isFull || question === undefined) return;
    const score = clamp(similarityOf(question, fromHalfVector(vector)));
    if (score < this.terms.scoreThreshold) return;
    const content = chunk.contentHash.toString('hex');
    if (this.terms.dedup === 'HASH_EXACT' && this.said.has(content)) return;
    this.said.add(content);
    this.hits.push({ ...chunk, score, rank: this.hits.length + 1 });
  }
}

/** Cosine similarity of two unit vectors. Pure. */
function similarityOf(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

function clamp(similarity: number): number {
  return Math.min(1, Math.max(0, similarity));
}
