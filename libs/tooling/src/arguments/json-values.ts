import { MAX_JSON_DEPTH } from '#libs/kernel';

/**
 * Text that servers leave around arguments: Markdown fences, and tokens of a model's chat template (`<|im_end|>`,
 * `</tool_call>`, `[TOOL_CALLS]`).
 */
const AROUND =
  /\s+|```[\w-]*|<[|｜][^<>|｜]{1,64}[|｜]>|<\/?[A-Za-z][\w-]{0,31}>|\[\/?[A-Z][A-Z_]{0,31}\]|\uFEFF/y;

const COMMA_BEFORE_END = /,\s*(?=[}\]])/y;

/**
 * Splits a text into consecutive JSON values, without trailing commas and with control characters in strings escaped.
 * Null if the text contains anything else or an incomplete value. Linear in the length of the text.
 */
export function jsonValuesIn(text: string): readonly string[] | null {
  const values: string[] = [];
  for (let at = 0; at < text.length;) {
    const afterSign = endOf(AROUND, text, at);
    if (afterSign > at) {
      at = afterSign;
      continue;
    }
    const value = readValue(text, at);
    if (value === null) return null;
    values.push(value.json);
    at = value.end;
  }
  return values;
}

interface ReadValue {
  readonly json: string;
  /** Index behind the value. */
  readonly end: number;
}

/** Reads an object, list or string; arguments begin with nothing else. Null if it is nested too deeply. */
function readValue(text: string, from: number): ReadValue | null {
  if (text[from] === '"') return readString(text, from);
  const pieces: string[] = [];
  let depth = 0;
  /** The text before this index is in `pieces` or was dropped. */
  let kept = from;
  for (let at = from; at < text.length;) {
    const character = text[at];
    if (character === '"') {
      const string = readString(text, at);
      if (string === null) return null;
      pieces.push(text.slice(kept, at), string.json);
      at = kept = string.end;
      continue;
    }
    const afterComma = character === ',' ? endOf(COMMA_BEFORE_END, text, at) : at;
    if (afterComma > at) {
      pieces.push(text.slice(kept, at));
      at = kept = afterComma;
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    if (depth > MAX_JSON_DEPTH) return null;
    at += 1;
    if (depth > 0) continue;
    const isValue = depth === 0 && at - from > 1;
    return isValue ? { json: pieces.join('') + text.slice(kept, at), end: at } : null;
  }
  return null;
}

function readString(text: string, from: number): ReadValue | null {
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"') return { json: escapeControls(text.slice(from, at + 1)), end: at + 1 };
  }
  return null;
}

function escapeControls(string: string): string {
  return string.replaceAll(/[\0-\x1f]/g, (character) => JSON.stringify(character).slice(1, -1));
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
