import type { JsonObject } from '#libs/kernel';
import type { MessagesRequest } from '../wire/messages/messages-request.js';
import { TOOL_SERVER } from './tool-names.js';

/** A tool as its server in the engine's process lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface EnginePlace {
  readonly folder: string;
  readonly sessionId: string;
  /** Whether the session has earlier messages. */
  readonly isResumed: boolean;
}

/**
 * Options of the engine for one conversation (S4-5). Its own tools, settings and permissions are off: the model sees the
 * tools of this service alone, which already include those of the tenant's servers. Servers and prompt reach the engine
 * on its input, never on a command line.
 */
export function engineOptions(
  request: MessagesRequest,
  { folder, sessionId, isResumed }: EnginePlace,
): JsonObject {
  const { model, thinking, output_config: output } = request;
  return {
    model,
    cwd: folder,
    systemPrompt: systemPromptOf(request),
    tools: [],
    settingSources: [],
    strictMcpConfig: true,
    mcpServersDelivery: 'initialize',
    permissionMode: 'dontAsk',
    permissionPrompts: 'none',
    allowedTools: [`mcp__${TOOL_SERVER}`],
    includePartialMessages: true,
    verbatimPrompts: true,
    ...(isResumed ? { resume: sessionId } : { sessionId }),
    ...(thinking !== undefined && { thinking: toThinkingOption(thinking) }),
    ...(output?.effort !== undefined && { effort: output.effort }),
  };
}

/** The tools of a request, with whether each may run beside others left to this service. */
export function listedTools({ tools = [] }: MessagesRequest): ListedTool[] {
  return tools.map(({ name, description, input_schema: inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
}

/** The layers of the prompt (S4-6, S4-7) arrive composed; the engine has no field for a schema of the answer. */
function systemPromptOf({ system = [], output_config: output }: MessagesRequest): string {
  const format = output?.format;
  const asked =
    format === undefined
      ? []
      : [
          `Answer with nothing but one JSON value that fits this JSON Schema:\n${JSON.stringify(format.schema)}`,
        ];
  return [...system.map(({ text }) => text), ...asked].join('\n\n');
}

function toThinkingOption(thinking: NonNullable<MessagesRequest['thinking']>): JsonObject {
  switch (thinking.type) {
    case 'adaptive':
      return { ...thinking };
    case 'enabled': {
      const { budget_tokens: budgetTokens, ...rest } = thinking;
      return { ...rest, budgetTokens };
    }
    case 'disabled':
    case 'between_tools':
      return { type: 'disabled' };
  }
}
