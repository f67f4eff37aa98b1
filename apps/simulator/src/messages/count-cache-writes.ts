import type { Answer } from '../responses/answer.js';
import type { Usage } from '../responses/response-schema.js';
import type { MessagesRequestBody } from './messages-request-schema.js';

/** Tokens written into the cache, by lifetime. */
export interface CacheWrites {
  readonly short: number;
  readonly long: number;
}

/** Minimum prompt that the cache takes, in tokens. */
const MIN_PROMPT = 1_024;
const STEP = 128;

/**
 * Tokens that a request with marks writes into the cache: the prompt without what was read from it. Counts that a script
 * sets are left alone.
 */
export function countCacheWrites(
  body: MessagesRequestBody,
  answer: Answer,
  usage: Usage | null,
): CacheWrites {
  const marks = JSON.stringify([body.tools, body.system, body.messages]);
  const isMarked = marks.includes('"cache_control":{');
  if (!isMarked || usage === null || answer.usage.kind !== 'estimated') return { short: 0, long: 0 };
  const fresh = usage.input_tokens - usage.input_tokens_details.cached_tokens;
  const written = usage.input_tokens < MIN_PROMPT ? 0 : fresh - (fresh % STEP);
  return marks.includes('"ttl":"1h"') ? { short: 0, long: written } : { short: written, long: 0 };
}
