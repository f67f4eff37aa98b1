import type { PromptMessage, PromptToolCall } from '#libs/payloads';
import { cutText } from '#libs/tooling';

/** Maximum bytes of an output, and of a call's arguments, in a shortened conversation. */
export const SHORTENED_BYTES = 4_000;

/** The newer half of the earlier turns, starting at a question. */
export function newerHalf(history: readonly PromptMessage[]): readonly PromptMessage[] {
  const half = Math.ceil(history.length / 2);
  const from = history.findIndex(({ role }, at) => at >= half && role === 'user');
  return from === -1 ? [] : history.slice(from);
}

/**
 * The messages of a round in a form that every provider accepts: short outputs and arguments, no provider-specific
 * items, and ids of nine letters and digits, which the strictest provider requires.
 *
 * @param messages the answer, then the outputs of its calls in order
 */
export function shortenRound(messages: readonly PromptMessage[], round: number): PromptMessage[] {
  let position = 0;
  return messages.map((message): PromptMessage => {
    if (message.role === 'tool')
      return { role: 'tool', toolCallId: plainId(round, position++), content: shortOutput(message.content) };
    if (message.role !== 'assistant') return message;
    const toolCalls = (message.toolCalls ?? []).map((call, at) => ({
      ...shortCall(call),
      id: plainId(round, at),
    }));
    return { role: 'assistant', content: message.content, toolCalls };
  });
}

/**
 * The messages of a round as plain texts, since some providers reject calls in a prompt without tools.
 *
 * @param messages the result of {@link shortenRound}
 */
export function roundAsText(messages: readonly PromptMessage[]): PromptMessage[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  if (calls.length === 0) return [...messages];
  const outputs = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const lines = calls.map(
    ({ name, arguments: given }, at) => `${name}(${given}) answered:\n${outputs[at] ?? ''}`,
  );
  const said = messages.filter(({ role, content }) => role === 'assistant' && content !== '');
  return [
    ...said.map(({ content }): PromptMessage => ({ role: 'assistant', content })),
    { role: 'user', content: ['Calls of tools that are not there any more:', ...lines].join('\n\n') },
  ];
}

function plainId(round: number, position: number): string {
  return `c${String(round).padStart(3, '0')}${String(position).padStart(5, '0')}`;
}

function shortCall(call: PromptToolCall): PromptToolCall {
  if (call.arguments.length <= SHORTENED_BYTES) return call;
  return {
    ...call,
    arguments: JSON.stringify({ shortened_arguments: cutText(call.arguments, SHORTENED_BYTES) }),
  };
}

/** Keeps the delimiter that ends foreign content, so that the following text is not taken for a part of it. */
function shortOutput(output: string): string {
  if (output.length <= SHORTENED_BYTES) return output;
  const lastLine = /\n\[end of foreign content [0-9a-f]+\]$/.exec(output)?.[0] ?? '';
  return cutText(output, SHORTENED_BYTES) + lastLine;
}
