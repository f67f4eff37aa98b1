import { toStorableJson, type JsonObject, type JsonValue } from '#libs/kernel';
import type { PromptToolCall } from '#libs/payloads';
import { BETWEEN_PARTS } from '../model-calls/parted-text.js';
import { readObjects, readText } from '../model-calls/read-json.js';

/**
 * Text of a response: `output_text`, otherwise its parts, one per line (S1-34); a refusal counts as text. An
 * `output_text` that merely concatenates the parts is ignored, so that streamed and complete answers match.
 */
export function readOutputText(response: JsonObject): string {
  const texts = readObjects(response, 'output').flatMap(readMessageTexts);
  const given = readText(response, 'output_text') ?? '';
  return given === '' || given === texts.join('') ? texts.join(BETWEEN_PARTS) : given;
}

/** Non-empty texts of one item; empty if it is no message. */
export function readMessageTexts(item: JsonObject): string[] {
  return readObjects(item, 'content').flatMap((part) => readPartText(part) || []);
}

/** Text of a message part, or the model's refusal. */
export function readPartText(part: JsonObject): string {
  switch (part['type']) {
    case 'output_text':
      return readText(part, 'text') ?? '';
    case 'refusal':
      return readText(part, 'refusal') ?? '';
    default:
      return '';
  }
}

/** Text of an item with the name of its position. */
export interface ItemText {
  readonly part: string;
  readonly text: string;
}

/** The list that holds an item's text: `summary` for reasoning with summaries, otherwise `content`. */
export function listOf(item: JsonObject): 'content' | 'summary' {
  if (item['type'] !== 'reasoning') return 'content';
  return readItemTexts(item, 'summary').some(({ text }) => text !== '') ? 'summary' : 'content';
}

/** Texts of a message or of reasoning, with the names of their positions. */
export function readItemTexts(item: JsonObject, list: 'content' | 'summary'): ItemText[] {
  const read = item['type'] === 'message' ? readPartText : (part: JsonObject) => readText(part, 'text') ?? '';
  return readObjects(item, list).map((part, at) => ({ part: `${list}/${at}`, text: read(part) }));
}

/** Visible reasoning of the model: the summaries, otherwise the reasoning text itself. */
export function readThinking(response: JsonObject): string {
  const items = readObjects(response, 'output').filter((item) => item['type'] === 'reasoning');
  return joinTexts(items, 'summary', 'text') || joinTexts(items, 'content', 'text');
}

/**
 * Reads one `function_call` item: the id is `call_id`, otherwise the item's id, otherwise `""`; arguments default to
 * `{}`. `null` for other items, for a call without a name, and for one that the provider broke off.
 */
export function readToolCall(item: JsonObject): PromptToolCall | null {
  const name = readText(item, 'name') ?? '';
  if (item['type'] !== 'function_call' || name === '' || item['status'] === 'incomplete') return null;
  const id = readText(item, 'call_id') || readText(item, 'id') || '';
  return { id, name, arguments: readArguments(item) ?? '{}' };
}

/**
 * Arguments as text; `undefined` if absent. Some servers send the object itself. Numbers, lists and booleans are kept as
 * text, so that the parser of the arguments refuses them.
 */
export function readArguments(item: JsonObject): string | undefined {
  const value: JsonValue | undefined = item['arguments'];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(toStorableJson(value));
}

function joinTexts(items: readonly JsonObject[], list: string, field: string): string {
  const texts = items.flatMap((item) => readObjects(item, list)).map((part) => readText(part, field));
  return texts.filter((text) => text !== undefined && text !== '').join(BETWEEN_PARTS);
}
