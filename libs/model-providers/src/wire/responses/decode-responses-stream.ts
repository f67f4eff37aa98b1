import { isJsonObject, type JsonObject } from '#libs/kernel';
import {
  MAX_ANSWER_CHARACTERS,
  type AnswerDecoder,
  type StreamedDelta,
} from '../model-calls/answer-decoder.js';
import { failedEnding } from '../model-calls/failed-ending.js';
import { PartedText } from '../model-calls/parted-text.js';
import { readObject, readObjects, readText } from '../model-calls/read-json.js';
import type { ResponseEnding } from '../model-calls/restored-answer.js';
import { listOf, readArguments, readItemTexts } from './from-responses-output.js';
import type { GrowingItem, ItemPlace } from './growing-item.js';
import { ResponseItems } from './response-items.js';
import { ambiguousCalls, endingOfStream } from './restore-answer.js';
import { TEXT_EVENTS, type TextEvent } from './text-events.js';

/**
 * Decodes the events of one streamed response by their order; sequence numbers and chunk borders do not matter. Ignores
 * unknown events and everything after the ending.
 */
export class ResponsesStreamDecoder implements AnswerDecoder {
  private readonly text = new PartedText();
  private readonly thinking = new PartedText();
  private readonly items = new ResponseItems();
  private characters = 0;
  private endingHeard: ResponseEnding | null = null;
  private silenceIsNormal = true;

  /** Ending from the provider's last event; `null` before it. A stream that ends with `null` was cut off. */
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
    const shown = this.read(event);
    if (this.items.areTooMany) this.endingHeard ??= tooLarge();
    return shown;
  }

  private read(event: JsonObject): readonly StreamedDelta[] {
    const type = readText(event, 'type');
    const text = TEXT_EVENTS.get(type);
    if (text !== undefined) return this.addText(event, text);
    switch (type) {
      case 'response.output_item.added':
        return this.beginItem(event, readObject(event, 'item'));
      case 'response.function_call_arguments.delta':
        this.silenceIsNormal = false;
        this.items.addArguments(placeOf(event), this.count(readText(event, 'delta') ?? ''));
        return [];
      case 'response.function_call_arguments.done':
        this.items.endArguments(placeOf(event), readArguments(event) ?? '', readText(event, 'name') ?? '');
        return [];
      case 'response.output_item.done':
        return this.concludeItem(event, readObject(event, 'item'));
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

  private beginItem(event: JsonObject, item: JsonObject): readonly StreamedDelta[] {
    this.silenceIsNormal = item['type'] === 'reasoning';
    this.items.begin(placeOf(event, item), item);
    return item['type'] === 'function_call' ? [{ kind: 'tool_call' }] : [];
  }

  /** Some servers report an item only once it is complete. */
  private concludeItem(event: JsonObject, item: JsonObject): readonly StreamedDelta[] {
    return this.showRest(this.items.conclude(placeOf(event, item), item), item);
  }

  private addText(
    event: JsonObject,
    { kind, list, index, field, isWhole }: TextEvent,
  ): readonly StreamedDelta[] {
    const said = readText(event, field) ?? '';
    if (said === '') return [];
    if (kind === 'message') this.silenceIsNormal = false;
    const item = this.items.textItem(kind, placeOf(event), isWhole);
    const named = typeof event[index] === 'number' ? `${list}/${event[index]}` : list;
    const part = isWhole ? partOf(item, list, named) : named;
    return this.show(item, part, isWhole ? item.restOf(part, said) : said);
  }

  /** Shows the part of a complete item that its pieces did not contain. */
  private showRest(item: GrowingItem, whole: JsonObject): readonly StreamedDelta[] {
    if (item.kind !== 'message' && item.kind !== 'reasoning') return [];
    const [heard] = item.texts.keys();
    const list = heard === undefined ? listOf(whole) : heard.startsWith('summary') ? 'summary' : 'content';
    const texts = readItemTexts(whole, list);
    if (item.texts.has(list))
      return this.show(item, list, item.restOf(list, texts.map(({ text }) => text).join('')));
    return texts.flatMap(({ part, text }) => this.show(item, part, item.restOf(part, text)));
  }

  private show(item: GrowingItem, part: string, piece: string): readonly StreamedDelta[] {
    const counted = this.count(piece);
    item.addText(part, counted);
    const kind = item.kind === 'message' ? 'text' : 'thinking';
    return shown(kind, this[kind].push(`${item.number}/${part}`, counted));
  }

  private count(text: string): string {
    this.characters += text.length;
    if (this.characters <= MAX_ANSWER_CHARACTERS) return text;
    this.endingHeard = tooLarge();
    return '';
  }

  private conclude(type: string, response: JsonObject): readonly StreamedDelta[] {
    const reported = readObjects(response, 'output');
    const taken = this.items.take(reported);
    const late = taken.flatMap((item, at) => this.showRest(item, reported[at] ?? {}));
    const rest = [...late, ...shown('thinking', this.thinking.end()), ...shown('text', this.text.end())];
    const output = this.items.end(taken);
    const ended = { ...response, status: statusOf(type, response), output };
    const ending =
      output === null ? ambiguousCalls(response) : endingOfStream(ended, this.thinking.toString());
    this.endingHeard ??= ending;
    if (ending.kind === 'failed' || this.text.toString() !== '') return rest;
    // Shows a text outside of the items like all others.
    return [...rest, ...shown('text', ending.answer.text)];
  }
}

function placeOf(event: JsonObject, item: JsonObject = {}): ItemPlace {
  const index = event['output_index'];
  return {
    index: typeof index === 'number' ? index : null,
    id: readText(event, 'item_id') || readText(item, 'id') || '',
  };
}

/** The part to which a complete text belongs if its index is missing in the pieces or in the report. */
function partOf({ texts }: GrowingItem, list: string, named: string): string {
  if (texts.has(named)) return named;
  if (texts.has(list)) return list;
  return named === list ? ([...texts.keys()].findLast((part) => part.startsWith(list)) ?? named) : named;
}

/** A "completed" event counts only if the response inside agrees. */
function statusOf(type: string, response: JsonObject): string {
  const inside = readText(response, 'status');
  if (inside === undefined) return type;
  return inside === 'completed' ? type : inside;
}

function shown(kind: 'text' | 'thinking', content: string): readonly StreamedDelta[] {
  return content === '' ? [] : [{ kind, content }];
}

function tooLarge(): ResponseEnding {
  return failedEnding({ code: 'answer_too_large' });
}

/** Ending from an `error` event; some servers nest the error. */
function failedByEvent(event: JsonObject): ResponseEnding {
  const nested = readObject(event, 'error');
  return failedEnding({
    code: event['code'] ?? nested['code'],
    message: readText(event, 'message') ?? readText(nested, 'message'),
  });
}
