import { toStorableText, type JsonObject } from '#libs/kernel';
import type { PromptMessage, PromptToolCall } from '../chat/prompt-message.js';
import { pairToolCalls, type PairedAssistantMessage } from '../responses/pair-tool-calls.js';
import { MISSING_OUTPUT } from '../responses/to-responses-input.js';
import { readReasoningItem } from './chat-reasoning.js';
import type { ChatMessage, ChatToolCall } from './chat-request.js';

/**
 * Messages as Chat Completions takes them. The outputs of an answer's calls stand right after it, one for each call, since
 * servers refuse anything else for ever; a `developer` is a `system`, which every server knows; empty texts are left out;
 * texts are cleaned of what no provider accepts.
 */
export function toChatMessages(messages: readonly PromptMessage[]): ChatMessage[] {
  const open = new Map<string, { content: string }>();
  const placed = pairToolCalls(messages).map((message): readonly (ChatMessage | OpenOutput)[] => {
    switch (message.role) {
      case 'system':
      case 'developer':
      case 'user': {
        const content = toStorableText(message.content);
        return content === '' ? [] : [{ role: message.role === 'user' ? 'user' : 'system', content }];
      }
      case 'assistant': {
        const outputs = message.toolCalls.map((call) => new OpenOutput(call.id));
        // An id may come again in a later round: an output belongs to the latest call with its id.
        for (const output of outputs) open.set(output.callId, output);
        return [...toAnswer(message), ...outputs];
      }
      case 'tool': {
        const output = open.get(message.toolCallId);
        if (output !== undefined) output.content = toStorableText(message.content);
        return [];
      }
    }
  });
  return placed.flat().map((message) => (message instanceof OpenOutput ? message.toMessage() : message));
}

/** The place of an output, filled when it comes. */
class OpenOutput {
  content: string = MISSING_OUTPUT;

  constructor(readonly callId: string) {}

  toMessage(): ChatMessage {
    return { role: 'tool', tool_call_id: this.callId, content: this.content };
  }
}

function toAnswer({ content, toolCalls, providerItems }: PairedAssistantMessage): ChatMessage[] {
  const text = toStorableText(content);
  if (toolCalls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      tool_calls: toolCalls.map(toChatCall),
      ...reasoningOf(providerItems ?? []),
    },
  ];
}

function toChatCall({ id, name, arguments: written }: PromptToolCall): ChatToolCall {
  return { id, type: 'function', function: { name, arguments: toStorableText(written) || '{}' } };
}

function reasoningOf(items: readonly JsonObject[]) {
  const [reasoning] = items.flatMap((item) => readReasoningItem(item) ?? []);
  return reasoning === undefined ? {} : { [reasoning.field]: reasoning.text };
}
