import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { ListedTool } from './engine-options.js';
import { TOOL_SERVER } from './tool-names.js';

/** Key under which the engine names the model's call in a request of a tool. */
const CALL_ID = 'claudecode/toolUseId';

/** Waits for the output of a call of the model. */
export type AskOutput = (callId: string) => Promise<string>;

/**
 * Answers one message of the Model Context Protocol: the whole server by which the engine reaches the tools of this
 * service. Null for a notification. It runs no tool: the loop of this service does, and its outputs come in by `ask`.
 */
export async function answerToolServer(
  message: unknown,
  tools: readonly ListedTool[],
  ask: AskOutput,
): Promise<JsonObject | null> {
  if (!isJsonObject(message)) return null;
  const { id, method, params } = message;
  if (id === undefined || typeof method !== 'string') return null;
  const answer = await resultOf(method, isJsonObject(params) ? params : {}, tools, ask);
  return { jsonrpc: '2.0', id, ...answer };
}

async function resultOf(
  method: string,
  params: JsonObject,
  tools: readonly ListedTool[],
  ask: AskOutput,
): Promise<{ readonly result: JsonValue } | { readonly error: JsonValue }> {
  switch (method) {
    case 'initialize': {
      const { protocolVersion = '2025-06-18' } = params;
      const serverInfo = { name: TOOL_SERVER, version: '1' };
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: tools.map((tool) => ({ ...tool })) } };
    case 'tools/call': {
      const callId = callIdOf(params);
      if (callId === null) return { error: { code: -32_602, message: 'the call has no id of the model' } };
      return { result: { content: toContent(await ask(callId)) } };
    }
    default:
      return { error: { code: -32_601, message: 'unknown method' } };
  }
}

function callIdOf({ _meta: meta }: JsonObject): string | null {
  const id = isJsonObject(meta) ? meta[CALL_ID] : undefined;
  return typeof id === 'string' ? id : null;
}

function toContent(text: string): JsonObject[] {
  return text === '' ? [] : [{ type: 'text', text }];
}
