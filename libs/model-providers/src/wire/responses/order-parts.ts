import { toStorableText, type JsonObject } from '#libs/kernel';
import type { AnswerPart, PromptToolCall } from '#libs/payloads';
import { BETWEEN_PARTS } from '../model-calls/parted-text.js';
import { isPlainOrder } from '../model-calls/plain-order.js';
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
  return isPlainOrder(parts) ? null : parts;
}

function toMessagePart(item: JsonObject): AnswerPart[] {
  const text = toStorableText(readMessageTexts(item).join(BETWEEN_PARTS));
  const phase = readText(item, 'phase');
  if (text === '') return [];
  return [{ kind: 'message', text, phase: phase === undefined ? null : toStorableText(phase) }];
}
