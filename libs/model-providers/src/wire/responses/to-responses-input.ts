import { toStorableText, type JsonObject } from '#libs/kernel';
import { dataUrlOf, type PromptMedia, type PromptMessage, type PromptToolCall } from '#libs/payloads';
import {
  MISSING_OUTPUT,
  pairToolCalls,
  type PairedAssistantMessage,
  type PairedMessage,
} from '../model-calls/pair-tool-calls.js';
import { inPlainOrder } from '../model-calls/plain-order.js';
import type { ResponsesInputItem, ResponsesInputPart } from './responses-request.js';

/**
 * Converts messages into input items (S1-29 … S1-33). Every call has exactly one output after it and every output a call
 * before it; empty texts are dropped; characters that providers refuse are removed.
 */
export function toResponsesInput(messages: readonly PromptMessage[]): ResponsesInputItem[] {
  return pairToolCalls(messages).flatMap(toItems);
}

function toItems(message: PairedMessage): ResponsesInputItem[] {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user': {
      const text = toStorableText(message.content);
      const media = message.role === 'user' ? (message.media ?? []) : [];
      const content: ResponsesInputPart[] = text === '' ? [] : [{ type: 'input_text', text }];
      content.push(...media.map(toMediaPart));
      return content.length === 0 ? [] : [{ role: message.role, content }];
    }
    case 'assistant':
      return toAnswerItems(message);
    case 'tool':
      return [toOutputItem(message.toolCallId, toStorableText(message.content))];
  }
}

function toMediaPart(media: PromptMedia): ResponsesInputPart {
  if (media.kind === 'image') return { type: 'input_image', detail: 'auto', image_url: dataUrlOf(media) };
  return { type: 'input_file', filename: toStorableText(media.name), file_data: dataUrlOf(media) };
}

/** Pieces of an answer in order, then placeholders for missing outputs. */
function toAnswerItems(message: PairedAssistantMessage): ResponsesInputItem[] {
  const parts = message.parts ?? inPlainOrder(message);
  const calls = new Map(message.toolCalls.map((call) => [call.id, call]));
  const placed = parts.flatMap((part): PlacedItem[] => {
    switch (part.kind) {
      case 'reasoning':
        return placeReasoning(message.providerItems?.[part.index]);
      case 'message':
        return placeText(toStorableText(part.text), part.phase);
      case 'call': {
        const call = calls.get(part.callId);
        return call !== undefined && calls.delete(part.callId) ? [answerItem(toCallItem(call))] : [];
      }
    }
  });
  const answer = [...placed, ...[...calls.values()].map((call) => answerItem(toCallItem(call)))];
  const missing = [...message.unanswered].map((id) => toOutputItem(id, MISSING_OUTPUT));
  const kept = withoutTrailingReasoning(answer);
  return kept.length === 0 ? [] : [...kept.map(({ item }) => item), ...missing];
}

interface PlacedItem {
  readonly item: ResponsesInputItem;
  readonly isReasoning: boolean;
}

const answerItem = (item: ResponsesInputItem): PlacedItem => ({ item, isReasoning: false });

function placeReasoning(item: JsonObject | undefined): PlacedItem[] {
  return item !== undefined && isReplayable(item) ? [{ item, isReasoning: true }] : [];
}

function placeText(text: string, phase: string | null): PlacedItem[] {
  if (text === '') return [];
  return [answerItem({ role: 'assistant', content: text, ...(phase !== null && { phase }) })];
}

/** Providers refuse reasoning that is not followed by its result. */
function withoutTrailingReasoning(placed: readonly PlacedItem[]): readonly PlacedItem[] {
  return placed.slice(0, placed.findLastIndex(({ isReasoning }) => !isReasoning) + 1);
}

function toCallItem(call: PromptToolCall): ResponsesInputItem {
  return {
    type: 'function_call',
    call_id: call.id,
    name: call.name,
    arguments: toStorableText(call.arguments) || '{}',
  };
}

function toOutputItem(callId: string, output: string): ResponsesInputItem {
  return { type: 'function_call_output', call_id: callId, output };
}

/** A provider that stored nothing can only read encrypted reasoning. */
export function isReplayable(item: JsonObject): boolean {
  return (
    item['type'] === 'reasoning' &&
    typeof item['id'] === 'string' &&
    Array.isArray(item['summary']) &&
    typeof item['encrypted_content'] === 'string'
  );
}
