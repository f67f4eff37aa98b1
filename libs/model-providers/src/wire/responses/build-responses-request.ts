import { toStorableText } from '#libs/kernel';
import { InvalidModelParameterError } from '#libs/payloads';
import type { FunctionTool } from '../model-calls/function-tool.js';
import type { ModelCall } from '../model-calls/model-call.js';
import { readModelParameters } from './read-model-parameters.js';
import type { ResponsesFunctionTool, ResponsesRequest } from './responses-request.js';
import { toResponsesInput } from './to-responses-input.js';

/** `parameters`: see {@link readModelParameters}. */
export interface ResponsesCall extends ModelCall {
  /** Whether the model reasons even without a reasoning parameter. */
  readonly reasons: boolean;
}

/**
 * Builds the body of `POST /v1/responses` (S1-24 … S1-28). The provider stores nothing; its reasoning is returned
 * encrypted and sent with the next call. Throws `InvalidModelParameterError`.
 */
export function buildResponsesRequest(call: ResponsesCall): ResponsesRequest {
  const given = readModelParameters(call.parameters);
  const reasoning = {
    ...(given.reasoningEffort !== undefined && { effort: given.reasoningEffort }),
    ...(given.reasoningSummary !== undefined && { summary: given.reasoningSummary }),
  };
  const hasReasoning = Object.keys(reasoning).length > 0;
  const tools = call.tools.map(toResponsesTool);
  return {
    model: call.model,
    input: toResponsesInput(call.messages),
    stream: given.enableStream && call.stream,
    store: false,
    text: { format: given.format, ...(given.verbosity !== undefined && { verbosity: given.verbosity }) },
    ...(hasReasoning && { reasoning }),
    ...((hasReasoning || call.reasons) && { include: ['reasoning.encrypted_content'] as const }),
    ...(given.maxOutputTokens !== undefined && { max_output_tokens: given.maxOutputTokens }),
    ...(given.temperature !== undefined && { temperature: given.temperature }),
    ...(given.topP !== undefined && { top_p: given.topP }),
    ...(tools.length > 0 && { tools }),
    ...(given.toolChoice !== undefined && { tool_choice: given.toolChoice }),
    ...(given.parallelToolCalls !== undefined && { parallel_tool_calls: given.parallelToolCalls }),
    ...(given.hasStop && { truncation: 'disabled' as const }),
    ...(given.user !== undefined && { user: given.user }),
  };
}

function toResponsesTool(tool: FunctionTool): ResponsesFunctionTool {
  const name = tool.name.trim();
  if (name === '') throw new InvalidModelParameterError('tools', 'tool name is required');
  return {
    type: 'function',
    name,
    description: toStorableText(tool.description ?? ''),
    parameters: tool.parameters ?? { type: 'object', properties: {} },
    ...(tool.strict !== undefined && { strict: tool.strict }),
  };
}
