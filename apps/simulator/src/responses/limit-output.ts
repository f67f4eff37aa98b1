import { writtenText, type Answer, type AnswerItem } from './answer.js';
import { estimateTokens, firstTokens } from './estimate-tokens.js';

/** Cuts an answer at `max_output_tokens` as the real API does: the current item is truncated, later ones are dropped. */
export function limitOutput(answer: Answer, maxOutputTokens: number | null): Answer {
  if (maxOutputTokens === null) return answer;
  const kept: AnswerItem[] = [];
  let left = maxOutputTokens;
  for (const item of answer.items) {
    const tokens = estimateTokens(writtenText(item));
    if (tokens > left) {
      kept.push(...(left > 0 ? [cutItem(item, left)] : []));
      return { ...answer, items: kept, end: { status: 'incomplete', reason: 'max_output_tokens' } };
    }
    kept.push(item);
    left -= tokens;
  }
  return answer;
}

/** Truncates the last item by half, for example to half a tool call. */
export function cutLastItem(items: readonly AnswerItem[]): readonly AnswerItem[] {
  const last = items.at(-1);
  if (last === undefined) return [];
  return [...items.slice(0, -1), cutItem(last, Math.floor(estimateTokens(writtenText(last)) / 2))];
}

function cutItem(item: AnswerItem, tokens: number): AnswerItem {
  switch (item.kind) {
    case 'reasoning':
      return { ...item, thought: firstTokens(item.thought, tokens), summary: [] };
    case 'text':
      return { ...item, text: firstTokens(item.text, tokens), isCut: true };
    case 'refusal':
      return { ...item, refusal: firstTokens(item.refusal, tokens), isCut: true };
    case 'call': {
      const left = Math.max(tokens - estimateTokens(item.name), 0);
      return { ...item, arguments: firstTokens(item.arguments, left), isCut: true };
    }
  }
}
