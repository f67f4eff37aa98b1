import type { ModelAnswer, RequestedCall } from '#libs/agent-core';

/** An answer of a model; without tool calls it ends the execution. */
export function aModelAnswer(overrides: Partial<ModelAnswer> = {}): ModelAnswer {
  return {
    responseId: 'resp_1',
    model: 'a-model',
    text: '',
    thinking: '',
    toolCalls: [],
    usage: {
      input_tokens: 10,
      cached_input_tokens: 0,
      output_tokens: 5,
      reasoning_tokens: 0,
      total_tokens: 15,
    },
    incompleteReason: null,
    providerItems: [],
    ...overrides,
  };
}

export function aCall(toolName: string, callId: string, args: unknown = {}): RequestedCall {
  return { toolName, callId, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
}
