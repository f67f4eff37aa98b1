import { writtenText, type Answer } from './answer.js';
import { isModelItem } from './conversation.js';
import { estimateTokens } from './estimate-tokens.js';
import type { InputItem } from './input-item.js';
import type { Usage } from './response-schema.js';
import type { ResponsesRequest } from './responses-request.js';

const TOKENS_AROUND_AN_ITEM = 4;
/** Minimum prefix that the real API caches, in tokens; cached lengths are multiples of 128. */
const MIN_CACHED_PREFIX = 1024;
const CACHE_STEP = 128;

/** The `usage` of a response; undefined omits it. Pure. */
export function countUsage(request: ResponsesRequest, answer: Answer): Usage | null | undefined {
  const estimated = estimate(request, answer);
  switch (answer.usage.kind) {
    case 'estimated':
      return estimated;
    case 'given': {
      const given = answer.usage.usage;
      return usageOf(
        given.inputTokens ?? estimated.input_tokens,
        given.cachedTokens ?? estimated.input_tokens_details.cached_tokens,
        given.outputTokens ?? estimated.output_tokens,
        given.reasoningTokens ?? estimated.output_tokens_details.reasoning_tokens,
      );
    }
    case 'null':
      return null;
    case 'missing':
      return undefined;
    case 'inconsistent':
      return {
        ...estimated,
        input_tokens_details: { cached_tokens: estimated.input_tokens + 1000, cache_write_tokens: 0 },
        output_tokens_details: { reasoning_tokens: estimated.output_tokens + 1000 },
        total_tokens: estimated.input_tokens + estimated.output_tokens + 7,
      };
  }
}

function estimate(request: ResponsesRequest, answer: Answer): Usage {
  const { items, tools, body } = request;
  const preamble =
    estimateTokens(body.instructions ?? '') + (tools.length > 0 ? estimateTokens(JSON.stringify(tools)) : 0);
  const lastAnswer = items.findLastIndex((item, index) => {
    const before = items[index - 1];
    return isModelItem(item) && (before === undefined || !isModelItem(before));
  });
  const seenBefore = lastAnswer < 0 ? 0 : preamble + tokensOf(items.slice(0, lastAnswer));
  const cached = seenBefore < MIN_CACHED_PREFIX ? 0 : seenBefore - (seenBefore % CACHE_STEP);
  const reasoning = answer.items.reduce(
    (sum, item) => (item.kind === 'reasoning' ? sum + itemTokens(item) : sum),
    0,
  );
  const written = answer.items.reduce((sum, item) => sum + itemTokens(item), 0);
  return usageOf(preamble + tokensOf(items), cached, written, reasoning);
}

function usageOf(input: number, cached: number, output: number, reasoning: number): Usage {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

function itemTokens(item: Answer['items'][number]): number {
  return estimateTokens(writtenText(item));
}

function tokensOf(items: readonly InputItem[]): number {
  return items.reduce((sum, item) => sum + TOKENS_AROUND_AN_ITEM + estimateTokens(textOf(item)), 0);
}

function textOf(item: InputItem): string {
  switch (item.type) {
    case 'message':
      return item.text;
    case 'function_call':
      return `${item.name}${item.arguments}`;
    case 'function_call_output':
      return item.output;
    case 'reasoning':
      return item.encryptedContent ?? '';
  }
}
