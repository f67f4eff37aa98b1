import type { JsonValue } from '#libs/kernel';

/** Maximum values compared per answer. */
const MAX_VALUES = 200;
/** Maximum characters searched, about as many as a model reads of one answer. */
const MAX_TEXT = 65_536;

/**
 * True if a text contains all texts and numbers of the structured content, as MCP asks servers to repeat it. Values in
 * another format (a date, a number with separators) count as missing.
 */
export function repeatsStructured(text: string, structured: JsonValue): boolean {
  const read = text.slice(0, MAX_TEXT);
  const values: JsonValue[] = [structured];
  for (let seen = 0; values.length > 0; seen += 1) {
    const value = values.pop();
    if (seen >= MAX_VALUES) return true;
    if (typeof value === 'object' && value !== null)
      values.push(...Object.values(value).slice(0, MAX_VALUES));
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
