import type { JsonValue } from '#libs/kernel';

/** Values of one answer that are looked for; an answer with more says the rest as it says these. */
const MOST_VALUES = 200;
/** Characters that they are looked for in; a model reads about as many of one answer. */
const LONGEST_TEXT = 65_536;

/**
 * Whether a text says what is structured beside it: each of its texts and numbers, as MCP has servers repeat it. Texts that
 * are formatted otherwise (a date, a number with separators) count as not said.
 */
export function repeatsStructured(text: string, structured: JsonValue): boolean {
  const read = text.slice(0, LONGEST_TEXT);
  const values: JsonValue[] = [structured];
  for (let seen = 0; values.length > 0; seen += 1) {
    const value = values.pop();
    if (seen >= MOST_VALUES) return true;
    if (typeof value === 'object' && value !== null)
      values.push(...Object.values(value).slice(0, MOST_VALUES));
    else if (isSaid(value) && !says(read, value)) return false;
  }
  return true;
}

function isSaid(value: JsonValue | undefined): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

function says(text: string, value: string | number): boolean {
  if (text.includes(String(value))) return true;
  return typeof value === 'string' && text.includes(JSON.stringify(value).slice(1, -1));
}
