import { invalidRequest } from '../http/api-error.js';
import { explainIssue } from '../http/explain-issue.js';
import { checkConversation } from './check-conversation.js';
import { checkTools } from './check-tools.js';
import { parseInputItem, type InputItem } from './input-item.js';
import {
  responsesRequestSchema,
  type FunctionTool,
  type ResponsesRequestBody,
  type ToolChoice,
} from './request-schema.js';

/** A request that the real API would accept. */
export interface ResponsesRequest {
  /** Body as sent, for the fields that a response repeats. */
  readonly body: ResponsesRequestBody;
  readonly model: string;
  readonly items: readonly InputItem[];
  readonly tools: readonly FunctionTool[];
  readonly toolChoice: ToolChoice;
  readonly isStreamed: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Validates the body of `POST /v1/responses`. Throws `ApiError` 400 or 404 with the wording of the real API. */
export function parseResponsesRequest(data: unknown): ResponsesRequest {
  const parsed = responsesRequestSchema.safeParse(data);
  if (!parsed.success) throw explainIssue(parsed.error, data);
  const body = parsed.data;
  refuseMemory(body);
  const items = parseInput(body.input);
  checkConversation(items, body.store ?? true);
  const [tools, toolChoice] = [body.tools ?? [], body.tool_choice ?? 'auto'];
  checkTools(tools, toolChoice);
  const isStreamed = body.stream ?? false;
  return { body, model: body.model, items, tools, toolChoice, isStreamed, metadata: body.metadata ?? {} };
}

function parseInput(input: ResponsesRequestBody['input']): InputItem[] {
  return typeof input === 'string'
    ? [{ type: 'message', role: 'user', text: input }]
    : input.map(parseInputItem);
}

/** Refuses parameters that need stored responses, since this server stores none. */
function refuseMemory(body: ResponsesRequestBody): void {
  const previous = body.previous_response_id ?? null;
  if (previous !== null) {
    throw invalidRequest(
      `Previous response with id '${previous}' not found.`,
      'previous_response_id',
      'previous_response_not_found',
    );
  }
  if (body.background === true) {
    throw invalidRequest(
      "'background' is not supported by the simulator.",
      'background',
      'unsupported_parameter',
    );
  }
  if ((body.conversation ?? null) !== null) {
    throw invalidRequest(
      "'conversation' is not supported by the simulator.",
      'conversation',
      'unsupported_parameter',
    );
  }
}
