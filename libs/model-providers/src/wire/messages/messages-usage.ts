import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { TokenUsage } from '#libs/payloads';
import { readObject } from '../model-calls/read-json.js';
import { readUsage } from '../model-calls/read-usage.js';

/** Usage of one answer, which a stream reports at its beginning and, as running totals, at its end. */
export class GrowingMessagesUsage {
  private begun: JsonObject = {};
  private ended: JsonObject | null = null;

  /** At the beginning, the count of the output means nothing yet. */
  begin(usage: JsonValue | undefined): void {
    if (!isJsonObject(usage)) return;
    const { output_tokens: _early, ...input } = usage;
    this.begun = input;
  }

  /** Null overwrites nothing. */
  end(usage: JsonValue | undefined): void {
    if (!isJsonObject(usage)) return;
    const known = Object.entries(usage).filter(([, value]) => value !== null);
    this.ended = { ...this.ended, ...Object.fromEntries(known) };
  }

  /** Null if the end of the answer brought none. */
  get reported(): JsonObject | null {
    return this.ended === null ? null : { ...this.begun, ...this.ended };
  }
}

/**
 * Tokens of an answer; null if a count is missing or contradicts another. The API counts what it read from its cache and
 * wrote into it beside `input_tokens`; a sum of writes without a lifetime counts as the default of five minutes.
 */
export function readMessagesUsage(usage: JsonObject | null): TokenUsage | null {
  if (usage === null) return null;
  const fresh = usage['input_tokens'];
  const read = usage['cache_read_input_tokens'] ?? 0;
  const written = readWritten(usage);
  if (typeof fresh !== 'number' || typeof read !== 'number' || written === null) return null;
  if ([fresh, read, written.short, written.long].some((count) => count < 0)) return null;
  return readUsage({
    usage: {
      input_tokens: fresh + read + written.short + written.long,
      output_tokens: usage['output_tokens'] ?? null,
      input_tokens_details: {
        cached_tokens: read,
        cache_creation_token_details: {
          ephemeral_5m_input_tokens: written.short,
          ephemeral_1h_input_tokens: written.long,
        },
      },
      output_tokens_details: {
        reasoning_tokens: readObject(usage, 'output_tokens_details')['thinking_tokens'] ?? 0,
      },
    },
  });
}

interface Written {
  readonly short: number;
  readonly long: number;
}

/** Null if the counts by lifetime exceed their sum, or are no numbers. */
function readWritten(usage: JsonObject): Written | null {
  const split = readObject(usage, 'cache_creation');
  const short = split['ephemeral_5m_input_tokens'] ?? 0;
  const long = split['ephemeral_1h_input_tokens'] ?? 0;
  if (typeof short !== 'number' || typeof long !== 'number') return null;
  const sum = usage['cache_creation_input_tokens'] ?? short + long;
  if (typeof sum !== 'number' || sum < short + long) return null;
  return { short: sum - long, long };
}
