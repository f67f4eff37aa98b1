import { invalidRequest } from '../http/api-error.js';
import { explainIssue } from '../http/explain-issue.js';
import { checkConversation } from '../responses/check-conversation.js';
import { checkTools } from '../responses/check-tools.js';
import type { InputItem } from '../responses/input-item.js';
import type { FunctionTool, ToolChoice } from '../responses/request-schema.js';
import type { ResponsesRequest } from '../responses/responses-request.js';
import { checkTurns } from './check-turns.js';
import { messagesRequestSchema, type MessagesRequestBody, type Turn } from './messages-request-schema.js';

/** A request of the Messages API, also translated to the Responses request that the models answer. */
export interface ParsedMessages {
  readonly asked: ResponsesRequest;
  readonly body: MessagesRequestBody;
}

/** Most marks of a prompt that the API takes. */
const MAX_MARKS = 4;

/** Validates the body of `POST /v1/messages`. Throws `ApiError` 400. */
export function parseMessagesRequest(data: unknown): ParsedMessages {
  const parsed = messagesRequestSchema.safeParse(data);
  if (!parsed.success) throw explainIssue(parsed.error, data);
  const body = parsed.data;
  checkTurns(body.messages);
  checkLimits(body);
  const tools = (body.tools ?? []).map(
    ({ name, description = null, input_schema: parameters }): FunctionTool => ({
      ...{ type: 'function', name, description },
      parameters: parameters as NonNullable<FunctionTool['parameters']>,
    }),
  );
  const toolChoice = toToolChoice(body.tool_choice);
  checkTools(tools, toolChoice);
  const items = [...toInstructions(body.system), ...body.messages.flatMap(toItems)];
  checkConversation(items, false);
  const asked: ResponsesRequest = {
    body: toResponsesBody(body),
    model: body.model,
    items,
    tools,
    toolChoice,
    isStreamed: body.stream ?? false,
    metadata: {},
  };
  return { asked, body };
}

function checkLimits({
  thinking,
  max_tokens: most,
  tools,
  tool_choice: choice,
  ...body
}: MessagesRequestBody): void {
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= most)
    throw invalidRequest('`max_tokens` must be greater than `thinking.budget_tokens`.', 'max_tokens');
  if (choice !== undefined && tools === undefined)
    throw invalidRequest('tool_choice may only be specified while providing tools.', 'tool_choice');
  const marks = JSON.stringify([tools, body.system, body.messages]).split('"cache_control":{').length - 1;
  if (marks <= MAX_MARKS) return;
  const message = `A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${marks}.`;
  throw invalidRequest(message, null);
}

/** Translates the parameters that the models read besides the conversation. */
function toResponsesBody(body: MessagesRequestBody): ResponsesRequest['body'] {
  const { thinking, output_config: output } = body;
  const reasons = thinking?.type === 'adaptive' || thinking?.type === 'enabled';
  const format = output?.format;
  return {
    model: body.model,
    input: [],
    max_output_tokens: body.max_tokens,
    parallel_tool_calls: !hasNoParallelCalls(body.tool_choice),
    reasoning: reasons ? { effort: 'medium', summary: 'auto' } : null,
    text: {
      format: format
        ? { type: 'json_schema', name: 'answer', schema: format.schema, strict: true }
        : { type: 'text' },
    },
  };
}

function hasNoParallelCalls(choice: MessagesRequestBody['tool_choice']): boolean {
  return choice !== undefined && choice.type !== 'none' && choice.disable_parallel_tool_use === true;
}

function toToolChoice(choice: MessagesRequestBody['tool_choice']): ToolChoice {
  switch (choice?.type) {
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', name: choice.name };
    case 'none':
      return 'none';
    case 'auto':
    case undefined:
      return 'auto';
  }
}

function toInstructions(system: MessagesRequestBody['system']): InputItem[] {
  const texts = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text);
  return texts.map((text) => ({ type: 'message', role: 'system', text }));
}

function toItems(turn: Turn, place: number): InputItem[] {
  const { role, content } = turn;
  if (turn.role === 'system') return toInstructions(turn.content);
  if (typeof content === 'string') {
    return [
      role === 'user'
        ? { type: 'message', role, text: content }
        : { type: 'message', role, text: content, id: null },
    ];
  }
  return role === 'user' ? toQuestion(turn) : toAnswer(turn, place);
}

/** Image and document blocks are accepted and ignored. */
function toQuestion({ content }: Extract<Turn, { role: 'user' }>): InputItem[] {
  if (typeof content === 'string') return [];
  const outputs = content.flatMap((block): InputItem[] =>
    block.type === 'tool_result'
      ? [{ type: 'function_call_output', callId: block.tool_use_id, output: outputOf(block.content) }]
      : [],
  );
  const texts = content.flatMap((block) => (block.type === 'text' ? block.text : []));
  const hasQuestion = content.some(({ type }) => type !== 'tool_result');
  return [
    ...outputs,
    ...(hasQuestion ? [{ type: 'message', role: 'user', text: texts.join('\n') } as const] : []),
  ];
}

function outputOf(content: string | readonly { readonly text: string }[] = ''): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');
}

function toAnswer({ content }: Extract<Turn, { role: 'assistant' }>, place: number): InputItem[] {
  if (typeof content === 'string') return [];
  return content.map((block, index): InputItem => {
    switch (block.type) {
      case 'text':
        return { type: 'message', role: 'assistant', text: block.text, id: null };
      case 'tool_use':
        return {
          ...{ type: 'function_call', id: null, callId: block.id, name: block.name },
          arguments: JSON.stringify(block.input),
        };
      case 'thinking':
        return { type: 'reasoning', id: `${place}.${index}`, encryptedContent: block.signature };
      case 'redacted_thinking':
        return { type: 'reasoning', id: `${place}.${index}`, encryptedContent: block.data };
    }
  });
}
