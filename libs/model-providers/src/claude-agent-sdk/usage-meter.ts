import { addTokens, type TokenUsage } from '#libs/payloads';
import type { RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import type { ModelUsage } from './engine-message.js';

interface Counts {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

const NOTHING: Counts = { input: 0, cached: 0, written: 0, output: 0 };

/**
 * Compares the usage of the answers with the engine's own sums over all models, which also count requests that the
 * engine makes by itself (S4-14, S4-32).
 */
export class UsageMeter {
  private seen = NOTHING;
  /** False once an answer came without usage: then the sums cannot be compared. */
  private isWhole = true;

  add({ usage }: Pick<RestoredAnswer, 'usage'>): void {
    if (usage === null) this.isWhole = false;
    else this.seen = plus(this.seen, countsOf(usage));
  }

  /** Adds to a usage what the engine spent beside the answers; null where there is nothing to add. */
  hidden(all: Readonly<Record<string, ModelUsage>>): ((usage: TokenUsage) => TokenUsage) | null {
    const sum = Object.values(all).map(engineCounts).reduce(plus, NOTHING);
    const { seen } = this;
    const rest: Counts = {
      input: Math.max(0, sum.input - seen.input),
      cached: Math.max(0, sum.cached - seen.cached),
      written: Math.max(0, sum.written - seen.written),
      output: Math.max(0, sum.output - seen.output),
    };
    if (!this.isWhole || rest.input + rest.output === 0) return null;
    return (usage) => addTokens(usage, toTokens(rest));
  }
}

/** `input` includes what was read from the cache and written into it, as everywhere here. */
function engineCounts(usage: ModelUsage): Counts {
  const {
    inputTokens,
    outputTokens,
    cacheReadInputTokens: cached,
    cacheCreationInputTokens: written,
  } = usage;
  return { input: inputTokens + cached + written, cached, written, output: outputTokens };
}

function countsOf(usage: TokenUsage): Counts {
  const { cache_creation_5m_tokens: short = 0, cache_creation_1h_tokens: long = 0 } = usage;
  return {
    input: usage.input_tokens,
    cached: usage.cached_input_tokens,
    written: short + long,
    output: usage.output_tokens,
  };
}

function plus(a: Counts, b: Counts): Counts {
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    written: a.written + b.written,
    output: a.output + b.output,
  };
}

/** Writes of unknown lifetime count as the default of five minutes. */
function toTokens({ input, cached, written, output }: Counts): TokenUsage {
  return {
    input_tokens: input,
    cached_input_tokens: cached,
    ...(written > 0 && { cache_creation_5m_tokens: written }),
    output_tokens: output,
    reasoning_tokens: 0,
    total_tokens: input + output,
  };
}
