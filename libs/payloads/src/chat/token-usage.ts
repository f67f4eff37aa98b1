import { z } from 'zod';

/**
 * Tokens of one or more model calls. `input` includes tokens read from the provider's cache (`cached`) or written into it
 * for five minutes or one hour; `output` includes `reasoning`. Absent cache creation fields mean none.
 */
export const tokenUsageSchema = z.object({
  input_tokens: z.number().int().nonnegative(),
  cached_input_tokens: z.number().int().nonnegative(),
  cache_creation_5m_tokens: z.number().int().nonnegative().optional(),
  cache_creation_1h_tokens: z.number().int().nonnegative().optional(),
  output_tokens: z.number().int().nonnegative(),
  reasoning_tokens: z.number().int().nonnegative(),
  total_tokens: z.number().int().nonnegative(),
});
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

export const NO_TOKENS: TokenUsage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
};

export function addTokens(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    ...addCacheCreation(a, b),
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
  };
}

type CacheCreation = Pick<TokenUsage, 'cache_creation_5m_tokens' | 'cache_creation_1h_tokens'>;

function addCacheCreation(a: CacheCreation, b: CacheCreation): CacheCreation {
  const short = (a.cache_creation_5m_tokens ?? 0) + (b.cache_creation_5m_tokens ?? 0);
  const long = (a.cache_creation_1h_tokens ?? 0) + (b.cache_creation_1h_tokens ?? 0);
  return {
    ...(short > 0 && { cache_creation_5m_tokens: short }),
    ...(long > 0 && { cache_creation_1h_tokens: long }),
  };
}
