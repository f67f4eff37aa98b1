import { isJsonObject, type JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import { DeltaText } from './delta-text.js';
import { readArguments, readToolCall } from './from-responses-output.js';
import { readObject, readText } from './read-json.js';
import { endingOf, toHarmlessCode } from './restore-answer.js';
import type { ResponseEnding } from './restored-answer.js';

export type StreamedDelta =
  | {
      readonly kind: 'text' | 'thinking';
      /** Never empty. */
      readonly content: string;
    }
  /** A tool call has begun; what it asks for is known at the end. */
  | { readonly kind: 'tool_call' };

/** Characters of one answer; far above what 128 000 tokens can spell, so only a broken server gets here. */
export const MAX_ANSWER_CHARACTERS = 16_777_216;

/**
 * Decodes the events of one streamed response, one at a time. The order of events counts, their numbers and how they
 * were cut do not; unknown events are ignored, and so is everything after the ending.
 */
export class ResponsesStreamDecoder {
  private readonly text = new DeltaText();
  private readonly thinking = new DeltaText();
  private readonly argumentsByItem = new Map<string, string>();
  private readonly toolCalls: PromptToolCall[] = [];
  private readonly items: JsonObject[] = [];
  private characters = 0;
  private endingHeard: ResponseEnding | null = null;
  private silenceIsNormal = true;

  /** What the provider's last event said; `null` while there was none. A stream that ends with `null` was cut off. */
  get ending(): ResponseEnding | null {
    return this.endingHeard;
  }

  /**
   * Is the model reasoning, as far as the stream shows? It may then be silent for minutes and still be well; once it
   * writes, silence means that the connection is dead.
   */
  get isReasoning(): boolean {
    return this.silenceIsNormal;
  }

  /** Takes the next event as parsed JSON; answers what to show of it, in order. */
  push(event: unknown): readonly StreamedDelta[] {
    if (this.endingHeard !== null || !isJsonObject(event)) return [];
    const type = readText(event, 'type');
    switch (type) {
      case 'response.output_item.added':
        return this.beginItem(readObject(event, 'item')['type']);
      case 'response.output_text.delta':
        this.silenceIsNormal = false;
        return shown('text', this.text.push(this.readDelta(event)));
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        return shown('thinking', this.thinking.push(this.readDelta(event)));
      case 'response.function_call_arguments.delta':
        this.addArguments(event);
        return [];
      case 'response.output_item.done':
        this.addItem(readObject(event, 'item'));
        return [];
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.end(type.slice('response.'.length), event);
      case 'error':
        this.endingHeard = { kind: 'failed', status: null, code: readErrorCode(event) };
        return [];
      default:
        return [];
    }
  }

  private beginItem(type: unknown): readonly StreamedDelta[] {
    this.silenceIsNormal = type === 'reasoning';
    return type === 'function_call' ? [{ kind: 'tool_call' }] : [];
  }

  private readDelta(event: JsonObject): string {
    const delta = readText(event, 'delta') ?? '';
    this.characters += delta.length;
    if (this.characters <= MAX_ANSWER_CHARACTERS) return delta;
    this.endingHeard = { kind: 'failed', status: null, code: 'answer_too_large' };
    return '';
  }

  private addArguments(event: JsonObject): void {
    this.silenceIsNormal = false;
    const itemId = readText(event, 'item_id') ?? '';
    this.argumentsByItem.set(itemId, (this.argumentsByItem.get(itemId) ?? '') + this.readDelta(event));
  }

  /** A call exists only when its item is done: pieces of arguments alone are not one. */
  private addItem(item: JsonObject): void {
    this.items.push(item);
    const call = readToolCall(item);
    if (call === null) return;
    const itemId = readText(item, 'id') ?? '';
    const heard = this.argumentsByItem.get(itemId);
    this.toolCalls.push({
      ...call,
      id: call.id || itemId,
      arguments: readArguments(item) || heard || call.arguments,
    });
  }

  private end(status: string, event: JsonObject): readonly StreamedDelta[] {
    const rest = [...shown('thinking', this.thinking.end()), ...shown('text', this.text.end())];
    this.endingHeard = endingOf(
      { ...readObject(event, 'response'), status },
      {
        text: this.text.toString(),
        thinking: this.thinking.toString(),
        toolCalls: this.toolCalls,
        items: this.items,
      },
    );
    return rest;
  }
}

function shown(kind: 'text' | 'thinking', content: string): readonly StreamedDelta[] {
  return content === '' ? [] : [{ kind, content }];
}

/** The code of an `error` event; some servers nest it. */
function readErrorCode(event: JsonObject): string | null {
  return toHarmlessCode(event['code']) ?? toHarmlessCode(readObject(event, 'error')['code']);
}
