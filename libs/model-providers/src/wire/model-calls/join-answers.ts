import { type AnswerPart, addTokens, type TokenUsage } from '#libs/payloads';
import { distinctCalls } from './distinct-calls.js';
import { BETWEEN_PARTS } from './parted-text.js';
import { inPlainOrder, isPlainOrder } from './plain-order.js';
import type { RestoredAnswer } from './restored-answer.js';

/** Joins an answer that was interrupted with its continuation. Each continuation is a call with tokens of its own. */
export function joinAnswers(begun: RestoredAnswer, next: RestoredAnswer): RestoredAnswer {
  const { parts: _begun, ...first } = begun;
  const { parts: _next, ...second } = next;
  const calls = distinctCalls([...begun.toolCalls, ...next.toolCalls]);
  const ids = new Map(next.toolCalls.map(({ id }, at) => [id, calls[begun.toolCalls.length + at]?.id ?? id]));
  const parts = [...partsOf(begun), ...partsOf(next).map(movedBy(begun.providerItems.length, ids))];
  return {
    ...first,
    ...second,
    text: joined(first.text, second.text),
    thinking: joined(first.thinking, second.thinking),
    toolCalls: calls,
    usage: sum(first.usage, second.usage),
    providerItems: [...first.providerItems, ...second.providerItems],
    ...(!isPlainOrder(parts) && { parts }),
  };
}

function partsOf(answer: RestoredAnswer): readonly AnswerPart[] {
  const plain = inPlainOrder({ ...answer, content: answer.text });
  return (answer.parts ?? plain).filter((part) => part.kind !== 'message' || part.text !== '');
}

/** Pieces of the continuation, whose items come later and whose calls may have got other ids. */
function movedBy(items: number, ids: ReadonlyMap<string, string>): (part: AnswerPart) => AnswerPart {
  return (part) => {
    switch (part.kind) {
      case 'reasoning':
        return { ...part, index: part.index + items };
      case 'call':
        return { ...part, callId: ids.get(part.callId) ?? part.callId };
      case 'message':
        return part;
    }
  };
}

function joined(begun: string, next: string): string {
  return [begun, next].filter((text) => text !== '').join(BETWEEN_PARTS);
}

/** Unknown if either is. */
function sum(begun: TokenUsage | null, next: TokenUsage | null): TokenUsage | null {
  return begun === null || next === null ? null : addTokens(begun, next);
}
