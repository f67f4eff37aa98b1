import type { PromptCache } from './messages-parameters.js';
import type { CacheControl, MessagesMessage, MessagesRequest } from './messages-request.js';

type Prompt = Pick<MessagesRequest, 'system' | 'tools' | 'messages'>;

/**
 * Marks the parts of a prompt that the provider may keep: the tools, the system prompt, and the conversation where a later
 * request will probably repeat it. Writing costs more than reading afresh, so a single question is not kept; a part that is
 * too short to be kept costs nothing extra. The API allows four marks.
 */
export function placeCacheBreakpoints(prompt: Prompt, cache: PromptCache): Prompt {
  if (cache === 'off') return prompt;
  const mark: CacheControl = { type: 'ephemeral', ...(cache === '1h' && { ttl: cache }) };
  const { system, tools, messages } = prompt;
  const isRepeated = tools !== undefined || messages.some(({ role }) => role === 'assistant');
  return {
    ...(system && { system: withLast(system, mark) }),
    ...(tools && { tools: withLast(tools, mark) }),
    messages: isRepeated ? markConversation(messages, mark) : messages,
  };
}

/**
 * Marks the end, and the end of the message before the last answer: the provider looks for what it kept only some blocks
 * before a mark, and one round may have more.
 */
function markConversation(messages: readonly MessagesMessage[], mark: CacheControl): MessagesMessage[] {
  const questions = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2);
  return messages.map((message, index) =>
    questions.includes(index) ? { ...message, content: withLast(message.content, mark) } : message,
  );
}

function withLast<T extends object>(parts: readonly T[], mark: CacheControl): T[] {
  return parts.map((part, index) => (index === parts.length - 1 ? { ...part, cache_control: mark } : part));
}
