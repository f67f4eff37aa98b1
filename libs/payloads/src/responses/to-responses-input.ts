import { toStorableText, type JsonObject } from '#libs/kernel';
import type { PromptMessage, PromptToolCall } from '../chat/prompt-message.js';
import { pairToolCalls, type PairedMessage } from './pair-tool-calls.js';
import type { ResponsesInputItem } from './responses-request.js';

/** What the model reads where a call was never answered: the provider refuses a call without an output for ever. */
export const MISSING_OUTPUT = 'no output was recorded for this call';

/**
 * Messages as input items (S1-29 … S1-33). Every call has exactly one output after it and every output a call before
 * it; empty texts are left out; texts are cleaned of what no provider accepts.
 */
export function toResponsesInput(messages: readonly PromptMessage[]): ResponsesInputItem[] {
  return pairToolCalls(messages).flatMap(toItems);
}

function toItems(message: PairedMessage): ResponsesInputItem[] {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user': {
      const text = toStorableText(message.content);
      return text === '' ? [] : [{ role: message.role, content: [{ type: 'input_text', text }] }];
    }
    case 'assistant':
      return toAnswerItems(message);
    case 'tool':
      return [toOutputItem(message.toolCallId, toStorableText(message.content))];
  }
}

/** What the provider reasoned, then the text, then the calls; reasoning alone is refused, so it never stands alone. */
function toAnswerItems(message: Extract<PairedMessage, { role: 'assistant' }>): ResponsesInputItem[] {
  const text = toStorableText(message.content);
  const answer: ResponsesInputItem[] = [
    ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
    ...message.toolCalls.map(toCallItem),
  ];
  if (answer.length === 0) return [];
  const reasoning = (message.providerItems ?? []).filter(isReplayable);
  const missing = [...message.unanswered].map((id) => toOutputItem(id, MISSING_OUTPUT));
  return [...reasoning, ...answer, ...missing];
}

function toCallItem(call: PromptToolCall): ResponsesInputItem {
  return {
    type: 'function_call',
    call_id: call.id,
    name: call.name,
    arguments: toStorableText(call.arguments) || '{}',
  };
}

function toOutputItem(callId: string, output: string): ResponsesInputItem {
  return { type: 'function_call_output', call_id: callId, output };
}

/** Only encrypted reasoning can be understood by a provider that stored nothing. */
export function isReplayable(item: JsonObject): boolean {
  return (
    item['type'] === 'reasoning' &&
    typeof item['id'] === 'string' &&
    Array.isArray(item['summary']) &&
    typeof item['encrypted_content'] === 'string'
  );
}
