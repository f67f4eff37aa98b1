import { toStorableJson, type JsonObject, type JsonValue } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import { BETWEEN_PARTS } from '../model-calls/parted-text.js';
import { readObjects, readText } from '../model-calls/read-json.js';

/**
 * The text of a response: `output_text` first, else its parts, one a line (S1-34); a refusal is a text too. An `output_text`
 * that only strings the parts together says no more than they do, and a stream could not report it.
 */
export function readOutputText(response: JsonObject): string {
  const texts = readObjects(response, 'output').flatMap(readMessageTexts);
  const given = readText(response, 'output_text') ?? '';
  return given === '' || given === texts.join('') ? texts.join(BETWEEN_PARTS) : given;
}

/** The texts of one item, each of them not empty; none where it is no message. */
export function readMessageTexts(item: JsonObject): string[] {
  return readObjects(item, 'content').flatMap((part) => readPartText(part) || []);
}

/** What a part of a message says: its text, or why the model would not answer, in its own words. */
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

/** A text of an item, by the name of its place. */
export interface ItemText {
  readonly part: string;
  readonly text: string;
}

/** The list that an item says something in: of reasoning its summaries, else what it reasoned. */
export function listOf(item: JsonObject): 'content' | 'summary' {
  if (item['type'] !== 'reasoning') return 'content';
  return readItemTexts(item, 'summary').some(({ text }) => text !== '') ? 'summary' : 'content';
}

/** The texts of a message or of reasoning, with the names of their places. */
export function readItemTexts(item: JsonObject, list: 'content' | 'summary'): ItemText[] {
  const read = item['type'] === 'message' ? readPartText : (part: JsonObject) => readText(part, 'text') ?? '';
  return readObjects(item, list).map((part, at) => ({ part: `${list}/${at}`, text: read(part) }));
}

/** What the model lets see of its reasoning: the summaries, else the reasoning text itself. */
export function readThinking(response: JsonObject): string {
  const items = readObjects(response, 'output').filter((item) => item['type'] === 'reasoning');
  return joinTexts(items, 'summary', 'text') || joinTexts(items, 'content', 'text');
}

/**
 * One `function_call` item as a call: id is `call_id`, else that of the item, else `""`; arguments default to `{}`.
 * `null` for other items, for a
 * call without a name, and for one that the provider broke off.
 */
export function readToolCall(item: JsonObject): PromptToolCall | null {
  const name = readText(item, 'name') ?? '';
  if (item['type'] !== 'function_call' || name === '' || item['status'] === 'incomplete') return null;
  const id = readText(item, 'call_id') || readText(item, 'id') || '';
  return { id, name, arguments: readArguments(item) ?? '{}' };
}

/**
 * Arguments as text, or `undefined` where there are none. Some servers send the object itself; a number, a list or a truth
 * value stays what it is as text, so that whoever parses it refuses it.
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
