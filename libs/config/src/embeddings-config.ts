import type { z } from 'zod';
import type { envSchema } from './env.schema.js';

/** Vectors of texts: how many calls for them may be made, and how many are kept at hand. */
export interface EmbeddingsConfig {
  /** Calls of one tenant, over all processes, as rate limits name it; null for no limit. */
  readonly limit: {
    readonly name: string;
    readonly points: number;
    readonly windowSeconds: number;
  } | null;
  /** Of chunks, in one process. */
  readonly cacheBytes: number;
}

type EmbeddingsEnv = Pick<z.infer<typeof envSchema>, 'EMBEDDING_CALLS_PER_MINUTE' | 'VECTOR_CACHE_MB'>;

const MINUTE_SECONDS = 60;
const MEBIBYTE = 1_048_576;

export function toEmbeddingsConfig({
  EMBEDDING_CALLS_PER_MINUTE: points,
  VECTOR_CACHE_MB,
}: EmbeddingsEnv): EmbeddingsConfig {
  return {
    limit: points === 0 ? null : { name: 'embeddings', points, windowSeconds: MINUTE_SECONDS },
    cacheBytes: VECTOR_CACHE_MB * MEBIBYTE,
  };
}
