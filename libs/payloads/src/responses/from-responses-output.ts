import { isJsonObject, toStorableJson, type JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import { readObjects, readText } from './read-json.js';

/** The text of a response: `output_text` first, else its parts of type `output_text`, one a line (S1-34). */
export function readOutputText(response: JsonObject): string {
  return readText(response, 'output_text') || joinParts(response, 'output_text', 'text');
}

/** Why the model would not answer, in its own words. */
export function readRefusal(response: JsonObject): string {
  return joinParts(response, 'refusal', 'refusal');
}

/** What the model lets see of its reasoning: the summaries, else the reasoning text itself. */
export function readThinking(response: JsonObject): string {
  const items = readObjects(response, 'output').filter((item) => item['type'] === 'reasoning');
  return joinTexts(items, 'summary', 'text') || joinTexts(items, 'content', 'text');
}

/** The tool calls of a response (S1-35). */
export function readToolCalls(response: JsonObject): PromptToolCall[] {
  return readObjects(response, 'output').flatMap((item) => readToolCall(item) ?? []);
}

/**
 * One `function_call` item as a call: id is `call_id` or `""`, arguments default to `{}`. `null` for other items, for a
 * call without a name, and for one that the provider broke off.
 */
export function readToolCall(item: JsonObject): PromptToolCall | null {
  const name = readText(item, 'name') ?? '';
  if (item['type'] !== 'function_call' || name === '' || item['status'] === 'incomplete') return null;
  return { id: readText(item, 'call_id') ?? '', name, arguments: readArguments(item) ?? '{}' };
}

/** Arguments as text, or `undefined`; some servers send the object itself. */
export function readArguments(item: JsonObject): string | undefined {
  const value = item['arguments'];
  return isJsonObject(value) ? JSON.stringify(toStorableJson(value)) : readText(item, 'arguments');
}

function joinParts(response: JsonObject, type: string, field: string): string {
  const parts = readObjects(response, 'output').flatMap((item) => readObjects(item, 'content'));
  return joinNonEmpty(parts.filter((part) => part['type'] === type).map((part) => readText(part, field)));
}

function joinTexts(items: readonly JsonObject[], list: string, field: string): string {
  return joinNonEmpty(items.flatMap((item) => readObjects(item, list)).map((part) => readText(part, field)));
}

function joinNonEmpty(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n');
}
