import { isJsonObject, type JsonObject, type JsonValue } from '#libs/kernel';
import type { FunctionTool } from '../../responses/request-schema.js';

/** A tool with the arguments that could be read from the user's text. */
export interface ChosenCall {
  readonly tool: FunctionTool;
  readonly known: JsonObject;
}

/**
 * The tool that the text asks for: the one with most of its name's words in the text, or the only tool there is. Null if no
 * tool is meant.
 */
export function chooseCall(text: string, tools: readonly FunctionTool[]): ChosenCall | null {
  const words = new Set(wordsOf(text));
  const ranked = tools
    .map((tool) => ({ tool, hits: wordsOf(tool.name).filter((word) => words.has(word)).length }))
    .toSorted((a, b) => b.hits - a.hits);
  const [best] = ranked;
  if (best === undefined || (best.hits === 0 && tools.length > 1)) return null;
  return { tool: best.tool, known: readArguments(text, best.tool) };
}

/** JSON in the text, or else quoted texts, capitalised words and numbers, in the order of the tool's fields. */
function readArguments(text: string, { parameters }: FunctionTool): JsonObject {
  const json = parseObject(/\{.*\}/s.exec(text)?.[0] ?? '');
  if (json !== null) return json;
  const texts = textsIn(text);
  const numbers = [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(([found]) => Number(found));
  const properties = isJsonObject(parameters?.['properties']) ? Object.entries(parameters['properties']) : [];
  const known: Record<string, JsonValue> = {};
  for (const [name, property] of properties) {
    const value = isOf(property, ['integer', 'number'])
      ? numbers.shift()
      : isOf(property, ['string']) && !hasOptions(property)
        ? (texts.shift() ?? text)
        : undefined;
    if (value !== undefined) known[name] = value;
  }
  return known;
}

function textsIn(text: string): string[] {
  const quoted = [...text.matchAll(/"([^"]+)"|“([^”]+)”/g)].map(([, plain, curly]) => plain ?? curly ?? '');
  if (quoted.length > 0) return quoted;
  // The first word of a sentence is capitalised anyway.
  return [...text.matchAll(/(?<=[^.!?]\s)\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)*/gu)].map(([found]) => found);
}

function isOf(property: JsonValue, types: readonly string[]): boolean {
  return (
    isJsonObject(property) &&
    [property['type']].flat().some((type) => typeof type === 'string' && types.includes(type))
  );
}

function hasOptions(property: JsonValue): boolean {
  return isJsonObject(property) && ('enum' in property || 'const' in property);
}

function wordsOf(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .filter((word) => word.length > 2)
    .map((word) => word.toLowerCase().replace(/s$/, ''));
}

function parseObject(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
