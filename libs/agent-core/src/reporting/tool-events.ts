import { toStorableText, type JsonValue } from '#libs/kernel';
import { argumentsOf } from '../call-arguments.js';
import { shownInput, shownOutcome } from '../display/shown-call.js';
import { endedInError } from '../error-answer.js';
import type { ToolCallState } from '../scope-state.js';
import type { ToolCallOutcome } from '../journal-entry.js';
import type { EventSink } from '../ports/event-sink.js';
import type { DeliveredFile } from './run-reporter.js';

/**
 * Emits a call with long strings of its input cut (S4-24, 3.I-17).
 * @param input input that the call runs with; null if it does not run: then the model's own arguments are emitted
 */
export function tellToolUse(events: EventSink, call: ToolCallState, input: JsonValue): void {
  const { callId, toolName, round } = call;
  const tool_input = shownInput(input ?? writtenArguments(call));
  events.emit({ event: 'tool_use', data: { tool_use_id: callId, tool_name: toolName, tool_input, round } });
}

/** Emits a call's result without the text that was written for the model (S2-20). */
export function tellToolResult(events: EventSink, call: ToolCallState, outcome: ToolCallOutcome): void {
  const { callId, toolName, round } = call;
  const shown = { result: shownOutcome(outcome).output, is_error: endedInError(outcome) };
  events.emit({ event: 'tool_result', data: { tool_use_id: callId, tool_name: toolName, ...shown, round } });
}

export function tellFiles(events: EventSink, round: number, files: readonly DeliveredFile[]): void {
  for (const delivered of files) {
    if (delivered.kind === 'file') events.emit({ event: 'file', data: { ...delivered.file, round } });
    else events.emit({ event: 'text_delta', data: { content: delivered.text, round } });
  }
}

/** Unreadable arguments are a text of any length. */
function writtenArguments(call: ToolCallState): JsonValue {
  const parsed = argumentsOf(call);
  return parsed.success ? parsed.data : toStorableText(call.arguments);
}
