import { canonicalJson, isJsonObject, type JsonObject } from '#libs/kernel';
import { jsonrepair } from 'jsonrepair';
import { MAX_ARGUMENT_CHARACTERS, readArguments } from '../parse-tool-arguments.js';
import { jsonValuesIn } from './json-values.js';

/** Maximum levels of JSON encoded within JSON. */
const MAX_ENCODINGS = 3;

/** Maximum characters for guessing, which takes quadratic time. */
const MAX_GUESSED = 4_096;

/**
 * Repairs broken arguments to JSON text that `parseToolArguments` reads; null if they are valid, or their meaning is
 * not certain. Certain repairs have a single interpretation: an object that is encoded twice, repeated, preceded by an
 * empty one, fenced or between template tokens; trailing commas; control characters within strings.
 *
 * @param mayGuess also accepts other notations (Python quotes, unquoted names, missing ends), which may be misread
 */
export function repairArguments(text: string, { mayGuess }: { readonly mayGuess: boolean }): string | null {
  if (text.length > MAX_ARGUMENT_CHARACTERS || text === '' || isJsonObject(parse(text))) return null;
  const objects = objectsIn(text, MAX_ENCODINGS);
  const meant = readArguments(objects === null && mayGuess ? guess(text) : onlyOne(objects ?? []));
  if (!meant.success) return null;
  const repaired = JSON.stringify(meant.data);
  return repaired.length <= MAX_ARGUMENT_CHARACTERS ? repaired : null;
}

/** Equal objects count once; empty ones are ignored beside another. */
function onlyOne(objects: readonly JsonObject[]): JsonObject | null {
  const filled = objects.filter((object) => Object.keys(object).length > 0);
  const distinct = new Map(filled.map((object) => [canonicalJson(object), object] as const));
  const [first = objects[0], ...others] = distinct.values();
  return others.length === 0 ? (first ?? null) : null;
}

/** Null if the text contains anything but objects. */
function objectsIn(text: string, encodings: number): readonly JsonObject[] | null {
  if (encodings === 0) return null;
  const values = jsonValuesIn(text) ?? jsonValuesIn(`"${text.trim()}"`);
  if (values === null || values.length === 0) return null;
  const objects: JsonObject[] = [];
  for (const value of values) {
    const inner = objectsOf(parse(value), encodings);
    if (inner === null) return null;
    objects.push(...inner);
  }
  return objects;
}

function objectsOf(value: unknown, encodings: number): readonly JsonObject[] | null {
  if (typeof value === 'string') return objectsIn(value, encodings - 1);
  return isJsonObject(value) ? [value] : null;
}

/** A text that ends within a value or string was truncated; its rest cannot be guessed. */
function isCut(text: string): boolean {
  const quotes = text.replaceAll(/\\./gs, '').split('"').length - 1;
  return quotes % 2 === 1 || !/[}\]"']$/.test(text.trimEnd());
}

function guess(text: string): JsonObject | null {
  if (text.length > MAX_GUESSED || isCut(text)) return null;
  try {
    const parsed = parse(jsonrepair(text));
    return isJsonObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
