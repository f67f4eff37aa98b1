import { DocumentFault } from './document-fault.js';

/** What the files of one description have been found to hold together. */
export interface FoundSize {
  values: number;
  /** Of all texts and names. */
  chars: number;
}

/** Values within all files together, each as often as an alias of YAML repeats it. */
const MAX_VALUES = 2_000_000;
const MAX_CHARS = 2 ** 25;
/** Entries of one object or list. */
const MAX_ENTRIES = 10_000;
export const MAX_DEPTH = 128;

/**
 * Aliases of YAML may repeat a value any number of times, or put it into itself: throws a `DocumentFault` where a value is
 * larger than a text without them could be, nested too deeply, or nothing that JSON can say. Adds what it holds to `found`.
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
