import { isJsonObject, type JsonObject } from '#libs/kernel';
import { tokenUsageSchema, type TokenUsage } from '../chat/token-usage.js';
import { readObject } from './read-json.js';

/** More than any model can read or write: a provider that says so is not believed, and its sums cannot overflow. */
const MAX_TOKENS = 1_000_000_000_000;

const countsSchema = tokenUsageSchema.omit({ total_tokens: true });

/**
 * Tokens of a response (S1-36): total is input plus output. Missing, contradictory or impossible counts give `null`: a
 * bill is never guessed, and no call of a model costs no tokens at all. Missing details count as 0, which is the dearest
 * reading of the same counts. What was written into a cache is reported by those gateways whose provider charges for it.
 */
export function readUsage(response: JsonObject): TokenUsage | null {
  const usage = readObject(response, 'usage');
  const details = readFirst(usage, 'input_tokens_details', 'prompt_tokens_details');
  const outputDetails = readFirst(usage, 'output_tokens_details', 'completion_tokens_details');
  const parsed = countsSchema.safeParse({
    input_tokens: usage['input_tokens'] ?? usage['prompt_tokens'],
    output_tokens: usage['output_tokens'] ?? usage['completion_tokens'],
    cached_input_tokens: details['cached_tokens'] ?? 0,
    ...readCacheCreation(details),
    reasoning_tokens: outputDetails['reasoning_tokens'] ?? 0,
  });
  if (!parsed.success) return null;
  const tokens = parsed.data;
  const total = tokens.input_tokens + tokens.output_tokens;
  if (total === 0 || Math.max(tokens.input_tokens, tokens.output_tokens) > MAX_TOKENS) return null;
  const { cache_creation_5m_tokens: short = 0, cache_creation_1h_tokens: long = 0 } = tokens;
  if (tokens.cached_input_tokens + short + long > tokens.input_tokens) return null;
  if (tokens.reasoning_tokens > tokens.output_tokens) return null;
  return { ...tokens, total_tokens: total };
}

/** The same fact has one name in each of OpenAI's two APIs, and servers mix them. */
function readFirst(usage: JsonObject, name: string, otherName: string): JsonObject {
  return isJsonObject(usage[name]) ? usage[name] : readObject(usage, otherName);
}

/**
 * By how long the cache lasts; where only a sum is reported, it is that of the ordinary five minutes. Absent where
 * there is none.
 */
function readCacheCreation(details: JsonObject): object {
  const split = readObject(details, 'cache_creation_token_details');
  const whole = details['cache_creation_tokens'] ?? details['cache_write_tokens'] ?? 0;
  const long = split['ephemeral_1h_input_tokens'] ?? 0;
  const short = split['ephemeral_5m_input_tokens'] ?? (Object.keys(split).length > 0 ? 0 : whole);
  return {
    ...(short !== 0 && { cache_creation_5m_tokens: short }),
    ...(long !== 0 && { cache_creation_1h_tokens: long }),
  };
}
