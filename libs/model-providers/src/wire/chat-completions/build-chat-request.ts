import { toStorableText } from '#libs/kernel';
import { InvalidModelParameterError } from '#libs/payloads';
import type { FunctionTool } from '../model-calls/function-tool.js';
import type { ModelCall } from '../model-calls/model-call.js';
import { readChatParameters } from './chat-parameters.js';
import type { ChatFunctionTool, ChatRequest } from './chat-request.js';
import { toChatMessages } from './to-chat-messages.js';

/** Differences between servers of the Chat Completions API. */
export interface ChatDialect {
  /**
   * Field that limits the answer's tokens. All servers accept the older `max_tokens`, except for reasoning models of the
   * API's inventor.
   */
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
  /** Whether the server accepts a request for usage in a stream. */
  readonly streamsUsage: boolean;
}

/** `parameters`: see {@link readChatParameters}. */
export interface ChatCall extends ModelCall {
  readonly dialect: ChatDialect;
}

/** Builds the body of `POST /v1/chat/completions` from the given parameters only. Throws `InvalidModelParameterError`. */
export function buildChatRequest(call: ChatCall): ChatRequest {
  const { dialect } = call;
  const asked = readChatParameters(call.parameters);
  const stream = asked.enableStream && call.stream;
  const tools = call.tools.map(toChatTool);
  return {
    model: call.model,
    messages: toChatMessages(call.messages),
    stream,
    ...(stream && dialect.streamsUsage && { stream_options: { include_usage: true as const } }),
    ...(asked.maxOutputTokens !== undefined && { [dialect.limitField]: asked.maxOutputTokens }),
    ...withoutUndefined({
      temperature: asked.temperature,
      top_p: asked.topP,
      frequency_penalty: asked.frequencyPenalty,
      presence_penalty: asked.presencePenalty,
      logit_bias: asked.logitBias,
      seed: asked.seed,
      reasoning_effort: asked.reasoningEffort,
      verbosity: asked.verbosity,
      response_format: asked.format,
      user: asked.user,
    }),
    ...(asked.stop.length > 0 && { stop: asked.stop }),
    // Servers refuse these two fields in a request without tools.
    ...(tools.length > 0 && {
      tools,
      ...withoutUndefined({ tool_choice: asked.toolChoice, parallel_tool_calls: asked.parallelToolCalls }),
    }),
  };
}

type Defined<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as unknown as Defined<T>;
}

function toChatTool(tool: FunctionTool): ChatFunctionTool {
  const name = tool.name.trim();
  if (name === '') throw new InvalidModelParameterError('tools', 'tool name is required');
  return {
    type: 'function',
    function: {
      name,
      description: toStorableText(tool.description ?? ''),
      parameters: tool.parameters ?? { type: 'object', properties: {} },
      ...(tool.strict !== undefined && { strict: tool.strict }),
    },
  };
}
