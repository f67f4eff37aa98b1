import { wholeCharacters } from '../texts.ts';
import { isJsonObject, type Json, type JsonObject } from '../values.ts';
import { visibleText } from './visible-text.ts';

/** Maximum text of a page for a model, in bytes. */
const MAX_BYTES = 8_000;
/** Maximum nesting of a snapshot; deeper values are skipped. */
const DEEPEST = 32;

/** Distinct text lines of a page that a user had open, title first, truncated to 8 000 bytes. Pure. */
export function readPage({ title = null, ...page }: JsonObject): string {
  const texts = [...new Set([...textsOf(title, 0), ...textsOf(page, 0)].flatMap(linesOf))];
  return wholeCharacters(texts.join('\n'), MAX_BYTES);
}

function textsOf(value: Json, depth: number): readonly string[] {
  if (depth > DEEPEST) return [];
  if (typeof value === 'string') return [value];
  const parts = Array.isArray(value)
    ? (value as readonly Json[])
    : isJsonObject(value)
      ? Object.values(value)
      : [];
  return parts.flatMap((part) => textsOf(part, depth + 1));
}

/** Visible lines of a text that may be HTML. */
function linesOf(written: string): readonly string[] {
  const lines = visibleText(written)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim());
  return lines.filter((line) => line !== '');
}
