import { NO_TOKENS } from '#libs/payloads';
import type { CostOf } from '../effects/call-model.js';
import type { LoopRules } from '../loop-rules.js';

/**
 * Prices a call at the time of the call: when the execution settles, its scope may have ended and its model may be
 * gone.
 */
export function costRecorder({ costOf }: Pick<LoopRules, 'costOf'>): CostOf {
  return (tokens) => {
    if (tokens === null) return { cost: null };
    const { input_tokens, cached_input_tokens, output_tokens, reasoning_tokens } = tokens;
    const prompt = costOf({ ...NO_TOKENS, input_tokens, cached_input_tokens, total_tokens: input_tokens });
    const completion = costOf({ ...NO_TOKENS, output_tokens, reasoning_tokens, total_tokens: output_tokens });
    return { cost: prompt === null || completion === null ? null : { prompt, completion } };
  };
}
