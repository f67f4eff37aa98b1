import type { AnswerPart, PromptMessage } from '#libs/payloads';

type Pieces = Pick<Extract<PromptMessage, { role: 'assistant' }>, 'content' | 'toolCalls' | 'providerItems'>;

const PLAIN_ORDER = ['reasoning', 'message', 'call'] as const satisfies readonly AnswerPart['kind'][];

/** Plain order: reasoning, then at most one text without a phase, then calls. */
export function isPlainOrder(parts: readonly AnswerPart[]): boolean {
  const messages = parts.filter((part) => part.kind === 'message');
  if (messages.length > 1 || messages.some((message) => message.phase !== null)) return false;
  const places = parts.map((part) => PLAIN_ORDER.indexOf(part.kind));
  return places.every((place, index) => index === 0 || place >= (places[index - 1] ?? 0));
}

/** The pieces of an answer in plain order. */
export function inPlainOrder({ content, toolCalls = [], providerItems = [] }: Pieces): AnswerPart[] {
  return [
    ...providerItems.map((_item, index) => ({ kind: 'reasoning' as const, index })),
    { kind: 'message', text: content, phase: null },
    ...toolCalls.map((call) => ({ kind: 'call' as const, callId: call.id })),
  ];
}
