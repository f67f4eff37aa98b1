import type { z } from 'zod';
import type { envSchema } from './env.schema.js';

/** Limits of embedding calls, and the size of the vector cache. */
export interface EmbeddingsConfig {
  /** Rate limit of embedding calls per tenant, shared by all processes; null for no limit. */
  readonly limit: {
    readonly name: string;
    readonly points: number;
    readonly windowSeconds: number;
  } | null;
  /** Maximum bytes of cached chunk vectors, per process. */
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
