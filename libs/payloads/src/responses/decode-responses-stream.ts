import { isJsonObject, type JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import {
  MAX_ANSWER_CHARACTERS,
  type AnswerDecoder,
  type StreamedDelta,
} from '../model-calls/answer-decoder.js';
import { readArguments, readPartText, readToolCall } from './from-responses-output.js';
import { PartedText } from '../model-calls/parted-text.js';
import { readObject, readObjects, readText } from '../model-calls/read-json.js';
import { failedEnding } from '../model-calls/failed-ending.js';
import { endingOf } from './restore-answer.js';
import type { ResponseEnding } from '../model-calls/restored-answer.js';

/**
 * Decodes the events of one streamed response, one at a time. The order of events counts, their numbers and how they
 * were cut do not; unknown events are ignored, and so is everything after the ending.
 */
export class ResponsesStreamDecoder implements AnswerDecoder {
  private readonly text = new PartedText();
  private readonly thinking = new PartedText();
  private readonly argumentsByItem = new Map<string, string>();
  private readonly toolCalls: PromptToolCall[] = [];
  private readonly items: JsonObject[] = [];
  private itemsBegun = 0;
  private characters = 0;
  private endingHeard: ResponseEnding | null = null;
  private silenceIsNormal = true;

  /** What the provider's last event said; `null` while there was none. A stream that ends with `null` was cut off. */
  get ending(): ResponseEnding | null {
    return this.endingHeard;
  }

  get isWhole(): boolean {
    return this.endingHeard !== null;
  }

  get isReasoning(): boolean {
    return this.silenceIsNormal;
  }

  end(): ResponseEnding | null {
    return this.endingHeard;
  }

  push(event: unknown): readonly StreamedDelta[] {
    if (this.endingHeard !== null || !isJsonObject(event)) return [];
    const type = readText(event, 'type');
    switch (type) {
      case 'response.output_item.added':
        return this.beginItem(readObject(event, 'item')['type']);
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.silenceIsNormal = false;
        return shown('text', this.text.push(this.partOf(event, 'content_index'), this.readDelta(event)));
      case 'response.reasoning_text.delta':
        return shown(
          'thinking',
          this.thinking.push(this.partOf(event, 'content_index'), this.readDelta(event)),
        );
      case 'response.reasoning_summary_text.delta':
        return shown(
          'thinking',
          this.thinking.push(this.partOf(event, 'summary_index'), this.readDelta(event)),
        );
      case 'response.function_call_arguments.delta':
        this.addArguments(event);
        return [];
      case 'response.output_item.done':
        return this.addItem(readObject(event, 'item'));
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return this.conclude(type.slice('response.'.length), readObject(event, 'response'));
      case 'error':
        this.endingHeard = failedByEvent(event);
        return [];
      default:
        return [];
    }
  }

  private beginItem(type: unknown): readonly StreamedDelta[] {
    this.itemsBegun += 1;
    this.silenceIsNormal = type === 'reasoning';
    return type === 'function_call' ? [{ kind: 'tool_call' }] : [];
  }

  /** Servers that name neither item nor index still begin one item after the other. */
  private partOf(event: JsonObject, index: 'content_index' | 'summary_index'): string {
    return partName(readText(event, 'item_id') ?? `#${this.itemsBegun}`, event[index]);
  }

  private readDelta(event: JsonObject): string {
    return this.count(readText(event, 'delta') ?? '');
  }

  private count(text: string): string {
    this.characters += text.length;
    if (this.characters <= MAX_ANSWER_CHARACTERS) return text;
    this.endingHeard = failedEnding({ code: 'answer_too_large' });
    return '';
  }

  private addArguments(event: JsonObject): void {
    this.silenceIsNormal = false;
    const itemId = readText(event, 'item_id') ?? '';
    this.argumentsByItem.set(itemId, (this.argumentsByItem.get(itemId) ?? '') + this.readDelta(event));
  }

  /** A call exists only when its item is done: pieces of arguments alone are not one. */
  private addItem(item: JsonObject): readonly StreamedDelta[] {
    this.items.push(item);
    const call = readToolCall(item);
    if (call === null) return this.addUnheardText(item);
    const itemId = readText(item, 'id') ?? '';
    const heard = this.argumentsByItem.get(itemId);
    this.toolCalls.push({
      ...call,
      id: call.id || itemId,
      arguments: readArguments(item) || heard || call.arguments,
    });
    return [];
  }

  /** Some servers report a message only when it is whole. */
  private addUnheardText(item: JsonObject): readonly StreamedDelta[] {
    const unnamed = `#${this.itemsBegun}`;
    const name = readText(item, 'id') ?? unnamed;
    this.itemsBegun += 1;
    if (item['type'] !== 'message') return [];
    return readObjects(item, 'content').flatMap((part, index) => {
      const possible = [name, unnamed].flatMap((one) => [one, partName(one, index)]);
      if (possible.some((one) => this.text.hasHeard(one))) return [];
      return shown('text', this.text.push(partName(name, index), this.count(readPartText(part))));
    });
  }

  private conclude(type: string, response: JsonObject): readonly StreamedDelta[] {
    const rest = [...shown('thinking', this.thinking.end()), ...shown('text', this.text.end())];
    const heard = {
      text: this.text.toString(),
      thinking: this.thinking.toString(),
      toolCalls: this.toolCalls,
      items: this.items,
    };
    const ending = endingOf({ ...response, status: statusOf(type, response) }, heard);
    this.endingHeard = ending;
    if (ending.kind === 'failed') return rest;
    const { text, thinking } = ending.answer;
    // What only the last event reports is shown like everything else.
    return [
      ...rest,
      ...(heard.thinking === '' ? shown('thinking', thinking) : []),
      ...(heard.text === '' ? shown('text', text) : []),
    ];
  }
}

/** An event that says "completed" is believed only as far as the response inside it says so too. */
function statusOf(type: string, response: JsonObject): string {
  const inside = readText(response, 'status');
  if (inside === undefined) return type;
  return inside === 'completed' ? type : inside;
}

function partName(item: string, index: unknown): string {
  return typeof index === 'number' ? `${item}/${index}` : item;
}

function shown(kind: 'text' | 'thinking', content: string): readonly StreamedDelta[] {
  return content === '' ? [] : [{ kind, content }];
}

/** What an `error` event says; some servers nest it. */
function failedByEvent(event: JsonObject): ResponseEnding {
  const nested = readObject(event, 'error');
  return failedEnding({
    code: event['code'] ?? nested['code'],
    message: readText(event, 'message') ?? readText(nested, 'message'),
  });
}
