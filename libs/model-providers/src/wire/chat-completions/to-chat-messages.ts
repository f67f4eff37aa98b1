import { toStorableText } from '#libs/kernel';
import { dataUrlOf, type PromptMedia, type PromptMessage, type PromptToolCall } from '#libs/payloads';
import {
  MISSING_OUTPUT,
  pairToolCalls,
  type PairedAssistantMessage,
} from '../model-calls/pair-tool-calls.js';
import { readReasoningItem, type ChatReasoning } from './chat-reasoning.js';
import type { ChatContentPart, ChatMessage, ChatToolCall } from './chat-request.js';

/**
 * Converts messages to Chat Completions. Each call's output directly follows its answer, because servers refuse any other
 * order; `developer` becomes `system`; empty texts and characters that providers refuse are dropped.
 */
export function toChatMessages(messages: readonly PromptMessage[]): ChatMessage[] {
  const open = new Map<string, { content: string }>();
  const placed = pairToolCalls(messages).map((message): readonly (ChatMessage | OpenOutput)[] => {
    switch (message.role) {
      case 'system':
      case 'developer': {
        const content = toStorableText(message.content);
        return content === '' ? [] : [{ role: 'system', content }];
      }
      case 'user':
        return toQuestion(message);
      case 'assistant': {
        const outputs = message.toolCalls.map((call) => new OpenOutput(call.id));
        // An id may recur in a later round: an output belongs to the latest call with its id.
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

/** Placeholder of an output, filled when the output is found. */
class OpenOutput {
  content: string = MISSING_OUTPUT;

  constructor(readonly callId: string) {}

  toMessage(): ChatMessage {
    return { role: 'tool', tool_call_id: this.callId, content: this.content };
  }
}

/** A text alone is sent as a string, because some servers refuse lists of parts. */
function toQuestion({ content, media = [] }: Extract<PromptMessage, { role: 'user' }>): ChatMessage[] {
  const text = toStorableText(content);
  if (media.length === 0) return text === '' ? [] : [{ role: 'user', content: text }];
  const parts: ChatContentPart[] = text === '' ? [] : [{ type: 'text', text }];
  return [{ role: 'user', content: [...parts, ...media.map(toMediaPart)] }];
}

function toMediaPart(media: PromptMedia): ChatContentPart {
  if (media.kind === 'image') return { type: 'image_url', image_url: { url: dataUrlOf(media) } };
  return { type: 'file', file: { filename: toStorableText(media.name), file_data: dataUrlOf(media) } };
}

function toAnswer({ content, toolCalls, providerItems }: PairedAssistantMessage): ChatMessage[] {
  const text = toStorableText(content);
  if (toolCalls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
  const [reasoning] = (providerItems ?? []).flatMap((item) => readReasoningItem(item) ?? []);
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      tool_calls: toolCalls.map((call) => toChatCall(call, reasoning)),
      ...reasoningOf(reasoning),
    },
  ];
}

function toChatCall(
  { id, name, arguments: written }: PromptToolCall,
  reasoning: ChatReasoning | undefined,
): ChatToolCall {
  const calls = reasoning?.calls ?? {};
  const kept = Object.hasOwn(calls, id) ? calls[id] : {};
  return { ...kept, id, type: 'function', function: { name, arguments: toStorableText(written) || '{}' } };
}

/** The details contain the text, so they replace it. */
function reasoningOf(reasoning: ChatReasoning | undefined) {
  if (reasoning === undefined) return {};
  const { field, text, details } = reasoning;
  if (details.length > 0) return { reasoning_details: details };
  return text === '' ? {} : { [field]: text };
}
