import { toStorableText } from '#libs/kernel';
import type { PromptMessage, PromptToolCall } from '../chat/prompt-message.js';
import { latestById } from './latest-by-id.js';
import { sendableName } from './sendable-name.js';

type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>;
export type PairedAssistantMessage = Omit<AssistantMessage, 'toolCalls'> & {
  readonly toolCalls: readonly PromptToolCall[];
  /** Ids of calls of this message that no later message answers. */
  readonly unanswered: ReadonlySet<string>;
};

/** A prompt message whose calls and outputs are known to belong together. */
export type PairedMessage = Exclude<PromptMessage, AssistantMessage> | PairedAssistantMessage;

/** What the model reads where a call was never answered: the provider refuses a call without an output for ever. */
export const MISSING_OUTPUT = 'no output was recorded for this call';

/**
 * Drops calls without id or name and outputs that no open call asked for, and says which calls stay unanswered. An id
 * may come again in a later round: an output belongs to the latest call with its id. Names are made ones that providers
 * take.
 */
export function pairToolCalls(messages: readonly PromptMessage[]): PairedMessage[] {
  const openCalls = new Map<string, Set<string>>();
  return messages.flatMap((message): PairedMessage[] => {
    switch (message.role) {
      case 'system':
      case 'developer':
      case 'user':
        return [message];
      case 'assistant': {
        const toolCalls = usableCalls(message.toolCalls ?? []);
        const unanswered = new Set(toolCalls.map((call) => call.id));
        for (const id of unanswered) openCalls.set(id, unanswered);
        return [{ ...message, toolCalls, unanswered }];
      }
      case 'tool': {
        const id = toStorableText(message.toolCallId);
        const wasOpen = openCalls.get(id)?.delete(id) ?? false;
        return wasOpen ? [{ ...message, toolCallId: id }] : [];
      }
    }
  });
}

function usableCalls(calls: readonly PromptToolCall[]): PromptToolCall[] {
  const cleaned = calls.map((call) => ({
    ...call,
    id: toStorableText(call.id),
    name: toStorableText(call.name).trim(),
  }));
  const usable = cleaned.filter((call) => call.id.trim() !== '' && call.name !== '');
  return latestById(usable.map((call) => ({ ...call, name: sendableName(call.name) })));
}
