import { toStorableText } from '#libs/kernel';
import type { PromptMessage, PromptToolCall } from '#libs/payloads';

type AssistantMessage = Extract<PromptMessage, { role: 'assistant' }>;
export type PairedAssistantMessage = Omit<AssistantMessage, 'toolCalls'> & {
  readonly toolCalls: readonly PromptToolCall[];
  /** Ids of this message's calls without an output in a later message. */
  readonly unanswered: ReadonlySet<string>;
};

/** Prompt message with matching calls and outputs. */
export type PairedMessage = Exclude<PromptMessage, AssistantMessage> | PairedAssistantMessage;

/** Output sent for an unanswered call: providers refuse every later request that has a call without an output. */
export const MISSING_OUTPUT = 'no output was recorded for this call';

/**
 * Drops calls without id or name and outputs without an open call, and lists unanswered calls. An id may recur in a later
 * round: an output belongs to the latest call with its id. Names are made acceptable to providers.
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

/** Keeps one item per id: a later one replaces an earlier one at the earlier one's position. */
function latestById<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Tool names that every provider accepts. */
const SENDABLE = /^[a-zA-Z0-9_-]{1,64}$/;

const MAX_NAME = 64;

/**
 * Makes the name of a called tool acceptable: a model may call a tool that does not exist, and providers refuse every
 * later request with an invalid name. Other characters become `_`; long names are truncated.
 */
export function sendableName(name: string): string {
  if (SENDABLE.test(name)) return name;
  const replaced = name.trim().replaceAll(/[^a-zA-Z0-9_-]/gu, '_');
  return replaced.slice(0, MAX_NAME) || '_';
}
