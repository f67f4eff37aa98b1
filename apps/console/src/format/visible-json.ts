import { visibleText } from './visible-text.js';

/** JSON that is nested deeper is shown as text: a few kilobytes of brackets are a hundred thousand levels. */
const MAX_DEPTH = 100;

/** Whether a JSON value can be shown as a tree. Looks level by level, and so has a bound itself. Pure. */
export function isTreeDepth(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap(partsOf);
    if (level.length === 0) return true;
  }
  return false;
}

const partsOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

/**
 * The same value with pictures in place of characters that would act unseen, and `…` for what lies deeper than a tree
 * shows. Pure.
 */
export function visibleJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => visibleJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [visibleText(key), visibleJson(item, depth + 1)]),
  );
}
