import { invalidRequest } from '../http/api-error.js';
import { explainIssue } from '../http/explain-issue.js';
import { checkTools } from '../responses/check-tools.js';
import type { InputItem } from '../responses/input-item.js';
import type { FunctionTool, TextFormat, ToolChoice } from '../responses/request-schema.js';
import type { ResponsesRequest } from '../responses/responses-request.js';
import { chatRequestSchema, type ChatMessage, type ChatRequestBody } from './chat-request-schema.js';

/** A chat request, also translated to the Responses request that the models answer. */
export interface ParsedChat {
  readonly asked: ResponsesRequest;
  readonly includesUsage: boolean;
}

/** Validates the body of `POST /v1/chat/completions`. Throws `ApiError` 400 with the wording of the real API. */
export function parseChatRequest(data: unknown): ParsedChat {
  const parsed = chatRequestSchema.safeParse(data);
  if (!parsed.success) throw explainIssue(parsed.error, data);
  const body = parsed.data;
  checkOrder(body.messages);
  const tools = (body.tools ?? []).map(({ type, function: tool }): FunctionTool => ({ type, ...tool }));
  const toolChoice = toToolChoice(body.tool_choice);
  checkTools(tools, toolChoice);
  checkNeedsTools(body);
  const asked: ResponsesRequest = {
    body: toResponsesBody(body),
    model: body.model,
    items: body.messages.flatMap(toItems),
    tools,
    toolChoice,
    isStreamed: body.stream ?? false,
    metadata: body.metadata ?? {},
  };
  return { asked, includesUsage: body.stream_options?.include_usage ?? false };
}

/** Translates the parameters that the models read besides the conversation. */
function toResponsesBody(body: ChatRequestBody): ResponsesRequest['body'] {
  return {
    model: body.model,
    input: [],
    max_output_tokens: body.max_completion_tokens ?? body.max_tokens,
    parallel_tool_calls: body.parallel_tool_calls,
    // This API has no parameter for reasoning summaries: servers that reason always send them.
    reasoning: body.reasoning_effort ? { effort: body.reasoning_effort, summary: 'auto' } : null,
    text: { format: toTextFormat(body.response_format) },
  };
}

function toTextFormat(format: ChatRequestBody['response_format']): TextFormat {
  if (!format) return { type: 'text' };
  return format.type === 'json_schema' ? { type: 'json_schema', ...format.json_schema } : format;
}

function toToolChoice(choice: ChatRequestBody['tool_choice']): ToolChoice {
  if (typeof choice === 'object' && choice !== null) return { type: 'function', name: choice.function.name };
  return choice ?? 'auto';
}

/** Each call of an assistant message must be answered by exactly one tool message right after it. */
function checkOrder(messages: readonly ChatMessage[]): void {
  const open = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      if (open.delete(message.tool_call_id)) return;
      throw invalidRequest(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        `messages[${index}].role`,
      );
    }
    if (open.size > 0) throw unanswered(open, index);
    if (message.role === 'assistant') checkAnswer(message, open, index);
  });
  if (open.size > 0) throw unanswered(open, messages.length);
}

function checkAnswer(
  message: Extract<ChatMessage, { role: 'assistant' }>,
  open: Set<string>,
  index: number,
): void {
  const calls = message.tool_calls ?? [];
  if (calls.length === 0 && (message.content ?? message.refusal ?? null) === null) {
    throw invalidRequest(
      "Invalid value for 'content': expected a string, got null.",
      `messages[${index}].content`,
    );
  }
  for (const { id } of calls) {
    if (open.has(id)) throw invalidRequest(`Duplicate value for 'tool_call_id' of '${id}'.`, 'messages');
    open.add(id);
  }
}

function unanswered(open: ReadonlySet<string>, index: number) {
  const ids = [...open].join(', ');
  const message =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
    `The following tool_call_ids did not have response messages: ${ids}`;
  return invalidRequest(message, `messages[${index}].role`);
}

function checkNeedsTools({
  tools,
  tool_choice: choice,
  parallel_tool_calls: parallel,
}: ChatRequestBody): void {
  if (tools) return;
  for (const [field, value] of [
    ['tool_choice', choice],
    ['parallel_tool_calls', parallel],
  ] as const) {
    const message = `Invalid value for '${field}': '${field}' is only allowed when 'tools' are specified.`;
    if ((value ?? null) !== null) throw invalidRequest(message, field);
  }
}

function toItems(message: ChatMessage): InputItem[] {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user':
      return [{ type: 'message', role: message.role, text: textOf(message.content) }];
    case 'tool':
      return [
        { type: 'function_call_output', callId: message.tool_call_id, output: textOf(message.content) },
      ];
    case 'assistant': {
      const text = textOf(message.content ?? '') + (message.refusal ?? '');
      const calls = (message.tool_calls ?? []).map((call): InputItem => ({
        type: 'function_call',
        id: null,
        callId: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
      }));
      return [
        ...(text === '' ? [] : [{ type: 'message', role: 'assistant', text, id: null } as const]),
        ...calls,
      ];
    }
  }
}

/** Image and file parts are accepted and ignored. */
function textOf(content: string | readonly (object | { readonly text: string })[]): string {
  if (typeof content === 'string') return content;
  return content
    .flatMap((part) => ('text' in part && typeof part.text === 'string' ? part.text : []))
    .join('\n');
}
