import { DocumentFault } from './document-fault.js';

/** Running totals over all files of a description. */
export interface FoundSize {
  values: number;
  /** Characters of all texts and names. */
  chars: number;
}

/** Maximum values of all files together; values behind YAML aliases count per use. */
const MAX_VALUES = 2_000_000;
const MAX_CHARS = 2 ** 25;
/** Maximum entries of one object or list. */
const MAX_ENTRIES = 10_000;
export const MAX_DEPTH = 128;

/**
 * YAML aliases may repeat a value any number of times, or nest it in itself. Throws a `DocumentFault` for a value that
 * is too large, nested too deeply or has a number without JSON form. Adds to the totals in `found`.
 */
export function assertBounded(value: unknown, file: string, found: FoundSize, depth = 1): void {
  found.values += 1;
  if (found.values > MAX_VALUES)
    throw new DocumentFault(`${file}#`, `must have at most ${MAX_VALUES} values, aliases followed`);
  if (depth > MAX_DEPTH)
    throw new DocumentFault(`${file}#`, `must be nested at most ${MAX_DEPTH} levels deep, aliases followed`);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new DocumentFault(`${file}#`, 'must not have numbers that JSON cannot say, such as .inf and .nan');
  if (typeof value === 'string') addChars(value, file, found);
  if (typeof value !== 'object' || value === null) return;
  const inner = Array.isArray(value) ? (value as unknown[]) : Object.values(value);
  if (inner.length > MAX_ENTRIES)
    throw new DocumentFault(`${file}#`, `must have at most ${MAX_ENTRIES} entries in one object or list`);
  if (!Array.isArray(value)) for (const name of Object.keys(value)) addChars(name, file, found);
  for (const item of inner) assertBounded(item, file, found, depth + 1);
}

function addChars(text: string, file: string, found: FoundSize): void {
  found.chars += text.length;
  if (found.chars > MAX_CHARS)
    throw new DocumentFault(`${file}#`, `must have at most ${MAX_CHARS} characters, aliases followed`);
}
