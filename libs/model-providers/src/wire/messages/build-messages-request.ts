import { toStorableText, type JsonObject } from '#libs/kernel';
import { InvalidModelParameterError } from '#libs/payloads';
import type { FunctionTool } from '../model-calls/function-tool.js';
import type { JsonSchemaFormat } from '../model-calls/json-schema-format.js';
import type { ModelCall } from '../model-calls/model-call.js';
import { readMessagesParameters, type GivenMessagesParameters } from './messages-parameters.js';
import type {
  MessagesRequest,
  MessagesTextBlock,
  MessagesTool,
  MessagesToolChoice,
} from './messages-request.js';
import { placeCacheBreakpoints } from './place-cache-breakpoints.js';
import { toMessages, toSystem } from './to-messages.js';
import { toThinking } from './to-thinking.js';

/**
 * Builds the body of `POST /v1/messages` from the given parameters; only the output limit has a default. `parameters`: see
 * {@link readMessagesParameters}. Throws `InvalidModelParameterError`.
 */
export function buildMessagesRequest(call: ModelCall): MessagesRequest {
  const asked = readMessagesParameters(call.parameters);
  const tools = call.tools.map(toMessagesTool);
  const system = [...toSystem(call.messages), ...toFormatRequest(asked.format)];
  const { effort, thinking } = toThinking(call.model, {
    effort: asked.effort,
    isShown: asked.showsThinking,
    maxTokens: asked.maxOutputTokens,
  });
  const format = asked.format?.strict === true ? asked.format : null;
  const prompt = placeCacheBreakpoints(
    {
      ...(system.length > 0 && { system }),
      ...(tools.length > 0 && { tools }),
      messages: toMessages(call.messages),
    },
    asked.cache,
  );
  const toolChoice = toToolChoice(asked);
  return {
    model: call.model,
    max_tokens: asked.maxOutputTokens,
    stream: asked.enableStream && call.stream,
    ...prompt,
    // The API refuses a choice in a request without tools.
    ...(tools.length > 0 && toolChoice !== undefined && { tool_choice: toolChoice }),
    ...(thinking !== undefined && { thinking }),
    ...((effort !== undefined || format !== null) && {
      output_config: {
        ...(effort !== undefined && { effort }),
        ...(format !== null && { format: { type: format.type, schema: format.schema } }),
      },
    }),
    ...(asked.temperature !== undefined && { temperature: asked.temperature }),
    ...(asked.topP !== undefined && { top_p: asked.topP }),
    ...(asked.topK !== undefined && { top_k: asked.topK }),
    ...(asked.stop.length > 0 && { stop_sequences: asked.stop }),
    ...(asked.user !== undefined && { metadata: { user_id: asked.user } }),
  };
}

/** The request that continues an answer which the provider paused after `content`. */
export function continueMessagesRequest(
  request: MessagesRequest,
  content: readonly JsonObject[],
): MessagesRequest {
  return { ...request, messages: [...request.messages, { role: 'assistant', content }] };
}

function toToolChoice({ toolChoice, isParallel }: GivenMessagesParameters): MessagesToolChoice | undefined {
  if (isParallel || toolChoice?.type === 'none') return toolChoice;
  return { ...(toolChoice ?? { type: 'auto' }), disable_parallel_tool_use: true };
}

/** The API enforces strict schemas only; any other is asked for in words. */
function toFormatRequest(format: JsonSchemaFormat | null): MessagesTextBlock[] {
  if (format === null || format.strict) return [];
  const schema = JSON.stringify(format.schema);
  return [
    { type: 'text', text: `Answer with nothing but one JSON value that fits this JSON Schema:\n${schema}` },
  ];
}

function toMessagesTool(tool: FunctionTool): MessagesTool {
  const name = tool.name.trim();
  if (name === '') throw new InvalidModelParameterError('tools', 'tool name is required');
  return {
    name,
    description: toStorableText(tool.description ?? ''),
    input_schema: { properties: {}, ...tool.parameters, type: 'object' },
  };
}
