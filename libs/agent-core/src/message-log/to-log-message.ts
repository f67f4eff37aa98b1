import type { JsonObject, JsonValue } from '#libs/kernel';
import type { ExecutionResult } from '#libs/payloads';
import { parseToolArguments } from '#libs/tooling';
import { endedInError } from '../error-answer.js';
import { shorten, shownInput, shownOutput } from '../display/shown-call.js';
import type { JournalEntry, RequestedCall } from '../journal-entry.js';

/** The types of S4's message log (S4-21, 3.I-21). */
export const LOG_MESSAGE_TYPES = ['user', 'system', 'assistant', 'user_result', 'result'] as const;

/** One message of the log, without its position. */
export interface LogMessage {
  readonly type: (typeof LOG_MESSAGE_TYPES)[number];
  readonly subtype: string | null;
  readonly content: JsonObject;
}

/** Maximum characters of a call's output (3.I-17). */
const MAX_TEXT = 500;

/** The scope that produced a message, and the call that opened the scope (3.I-24). */
export interface ScopeOfMessage {
  readonly scope: string;
  readonly parent_tool_use_id: string;
}

/** The user's input as a log message. */
export function userMessage(text: string): LogMessage {
  return { type: 'user', subtype: null, content: { text } };
}

/** The beginning of an engine session, which later executions continue (S4-22). */
export function initMessage(sessionId: string): LogMessage {
  return { type: 'system', subtype: 'init', content: { session_id: sessionId } };
}

/**
 * The log message for a fact of the journal; null if the fact has none.
 * @param toolUseId for a tool result: the model's id of the call
 * @param inside null for the execution's root scope
 */
export function factMessage(
  entry: JournalEntry,
  toolUseId: string,
  inside: ScopeOfMessage | null,
): LogMessage | null {
  switch (entry.kind) {
    case 'model_call_completed':
      return {
        type: 'assistant',
        subtype: null,
        content: { content_blocks: answerBlocks(entry), ...inside },
      };
    case 'step_begun':
      return {
        type: 'assistant',
        subtype: null,
        content: { content_blocks: entry.calls.map(callBlock), ...inside },
      };
    case 'tool_call_settled':
      return {
        type: 'user_result',
        subtype: null,
        content: { content_blocks: [resultBlock(entry, toolUseId)], ...inside },
      };
    default:
      return null;
  }
}

/** How the execution ended (S4-27). */
export function resultMessage(result: ExecutionResult): LogMessage {
  const { is_error, errors, usage, num_turns, duration_ms, session_id } = result;
  const text = result.result?.message.content ?? null;
  return {
    type: 'result',
    subtype: is_error ? 'error_during_execution' : 'success',
    content: {
      result: is_error ? null : text,
      is_error,
      errors,
      usage,
      total_cost_usd: usage?.total_cost_usd ?? null,
      num_turns,
      duration_ms,
      session_id,
    },
  };
}

function answerBlocks({ answer }: Extract<JournalEntry, { kind: 'model_call_completed' }>): JsonValue[] {
  const { thinking, text, toolCalls } = answer;
  return [
    ...(thinking === '' ? [] : [{ type: 'thinking', thinking }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...toolCalls.map(callBlock),
  ];
}

function callBlock({ callId, toolName, arguments: written }: RequestedCall): JsonObject {
  const parsed = parseToolArguments(written);
  const input = shownInput(parsed.success ? parsed.data : written);
  return { type: 'tool_use', tool_use_id: callId, tool_name: toolName, tool_input: input };
}

/** Omits the text written for the model (S2-20): only the execution's steps hold it. */
function resultBlock(
  { outcome }: Extract<JournalEntry, { kind: 'tool_call_settled' }>,
  toolUseId: string,
): JsonObject {
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: shorten(shownOutput(outcome.output, MAX_TEXT), MAX_TEXT),
    is_error: endedInError(outcome),
  };
}
