import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { TokenUsage } from '../chat/token-usage.js';
import { readObject } from '../model-calls/read-json.js';
import { readUsage } from '../model-calls/read-usage.js';

/** The usage that a chunk or a body reports, or null where it reports none; some send `null` or `{}` on the way. */
export function findChatUsage(said: JsonObject): JsonObject | null {
  const usage = said['usage'];
  return isJsonObject(usage) && Object.keys(usage).length > 0 ? usage : null;
}

/**
 * Tokens of a chat completion, by the rules of `readUsage`. A total above its two parts names tokens that were reasoned and
 * left out of `completion_tokens`, as some servers do: they were written and are paid for.
 */
export function readChatUsage(usage: JsonObject): TokenUsage | null {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  return readUsage({
    usage: {
      ...(input !== undefined && { input_tokens: input }),
      ...(output !== undefined && { output_tokens: withUncounted(input, output, total) }),
      input_tokens_details: readObject(usage, 'prompt_tokens_details'),
      output_tokens_details: readObject(usage, 'completion_tokens_details'),
    },
  });
}

function withUncounted(
  input: JsonValue | undefined,
  output: JsonValue,
  total: JsonValue | undefined,
): JsonValue {
  if (typeof input !== 'number' || typeof output !== 'number' || typeof total !== 'number') return output;
  return total > input + output ? total - input : output;
}
