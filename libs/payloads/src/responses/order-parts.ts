import { toStorableText, type JsonObject } from '#libs/kernel';
import type { AnswerPart } from '../chat/answer-part.js';
import type { PromptToolCall } from '../chat/prompt-message.js';
import { BETWEEN_PARTS } from '../model-calls/parted-text.js';
import { readMessageTexts } from './from-responses-output.js';
import { readText } from '../model-calls/read-json.js';
import { isReplayable } from './to-responses-input.js';

/** Pieces of an answer in item order; null if that equals the plain order. */
export function orderParts(
  output: readonly JsonObject[],
  calls: ReadonlyMap<JsonObject, PromptToolCall>,
): AnswerPart[] | null {
  let reasoned = 0;
  const parts = output.flatMap((item): AnswerPart[] => {
    if (isReplayable(item)) return [{ kind: 'reasoning', index: reasoned++ }];
    if (item['type'] === 'message') return toMessagePart(item);
    const call = calls.get(item);
    return call === undefined ? [] : [{ kind: 'call', callId: call.id }];
  });
  return isPlain(parts) ? null : parts;
}

function toMessagePart(item: JsonObject): AnswerPart[] {
  const text = toStorableText(readMessageTexts(item).join(BETWEEN_PARTS));
  const phase = readText(item, 'phase');
  if (text === '') return [];
  return [{ kind: 'message', text, phase: phase === undefined ? null : toStorableText(phase) }];
}

const PLAIN_ORDER = ['reasoning', 'message', 'call'] as const satisfies readonly AnswerPart['kind'][];

/** Plain order: reasoning, then at most one text without a phase, then calls. */
function isPlain(parts: readonly AnswerPart[]): boolean {
  const messages = parts.filter((part) => part.kind === 'message');
  if (messages.length > 1 || messages.some((message) => message.phase !== null)) return false;
  const places = parts.map((part) => PLAIN_ORDER.indexOf(part.kind));
  return places.every((place, index) => index === 0 || place >= (places[index - 1] ?? 0));
}
