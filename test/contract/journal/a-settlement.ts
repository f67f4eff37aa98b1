import type { Settlement } from '#libs/agent-core';

const NO_TOKENS = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
};

/** The smallest ending; name what matters to your test. */
export function aSettlement(overrides: Partial<Settlement> = {}): Settlement {
  return {
    status: 'failed',
    incompleteReason: null,
    error: { code: 'X', message: 'x' },
    messages: [],
    hasForeign: false,
    summary: null,
    staged: [],
    usage: [],
    unknownCalls: 0,
    totalTokens: NO_TOKENS,
    retrieval: null,
    metadata: {} as Settlement['metadata'],
    totalCostUsd: '0',
    turns: 0,
    ...overrides,
  };
}
