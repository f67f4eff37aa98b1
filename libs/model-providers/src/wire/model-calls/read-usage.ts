import { isJsonObject, type JsonObject } from '#libs/kernel';
import { tokenUsageSchema, type TokenUsage } from '#libs/payloads';
import { readObject } from './read-json.js';

/** Upper bound above any model; higher counts are rejected, so that sums cannot overflow. */
const MAX_TOKENS = 1_000_000_000_000;

const countsSchema = tokenUsageSchema.omit({ total_tokens: true });

/**
 * Reads the tokens of a response (S1-36); the total is input plus output. Missing, contradictory or impossible counts
 * give `null`: usage is never guessed, and no model call has zero tokens. Missing details count as 0, the most expensive
 * reading. Cache writes are reported only by gateways with a provider that charges for them.
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

/** OpenAI's two APIs use different names for the same field, and servers mix them. */
function readFirst(usage: JsonObject, name: string, otherName: string): JsonObject {
  return isJsonObject(usage[name]) ? usage[name] : readObject(usage, otherName);
}

/** Cache writes by lifetime; a mere sum counts as the default of five minutes. Absent without cache writes. */
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
