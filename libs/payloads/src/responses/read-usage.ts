import type { JsonObject } from '#libs/kernel';
import { tokenUsageSchema, type TokenUsage } from '../chat/token-usage.js';
import { readObject } from './read-json.js';

/** More than any model can read or write: a provider that says so is not believed, and its sums cannot overflow. */
const MAX_TOKENS = 1_000_000_000_000;

const countsSchema = tokenUsageSchema.omit({ total_tokens: true });

/**
 * Tokens of a response (S1-36): total is input plus output. Missing, contradictory or impossible counts give `null`: a bill is
 * never guessed. Missing details count as 0, which is the dearest reading of the same counts.
 */
export function readUsage(response: JsonObject): TokenUsage | null {
  const usage = readObject(response, 'usage');
  const parsed = countsSchema.safeParse({
    input_tokens: usage['input_tokens'],
    output_tokens: usage['output_tokens'],
    cached_input_tokens: readObject(usage, 'input_tokens_details')['cached_tokens'] ?? 0,
    reasoning_tokens: readObject(usage, 'output_tokens_details')['reasoning_tokens'] ?? 0,
  });
  if (!parsed.success) return null;
  const tokens = parsed.data;
  if (Math.max(tokens.input_tokens, tokens.output_tokens) > MAX_TOKENS) return null;
  if (tokens.cached_input_tokens > tokens.input_tokens) return null;
  if (tokens.reasoning_tokens > tokens.output_tokens) return null;
  return { ...tokens, total_tokens: tokens.input_tokens + tokens.output_tokens };
}
