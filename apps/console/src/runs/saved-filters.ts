import { runsFilterOf, type RunsFilter } from './runs-filter.js';

export interface SavedFilter {
  readonly name: string;
  readonly filter: RunsFilter;
}

export const MAX_NAME = 60;
const MAX_SAVED = 30;

/** Reads what the browser has kept, and passes over what makes no sense. Pure. */
export function savedFiltersOf(kept: string | null): readonly SavedFilter[] {
  const parsed = parsedOrNull(kept);
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((each: unknown): SavedFilter[] => {
    if (typeof each !== 'object' || each === null || !('name' in each) || !('filter' in each)) return [];
    const { name, filter } = each;
    if (typeof name !== 'string' || name === '' || typeof filter !== 'object' || filter === null) return [];
    return [{ name: name.slice(0, MAX_NAME), filter: runsFilterOf({ ...filter }) }];
  });
}

/** Adds a filter by its name, in place of one that has it; the oldest goes where there are too many. Pure. */
export function withFilterSaved(saved: readonly SavedFilter[], added: SavedFilter): readonly SavedFilter[] {
  return [...saved.filter(({ name }) => name !== added.name), added].slice(-MAX_SAVED);
}

/** Whether two filters ask for the same. Pure. */
export function isSameFilter(a: RunsFilter, b: RunsFilter): boolean {
  const names = Object.keys({ ...a, ...b }) as (keyof RunsFilter)[];
  return names.every((name) => a[name] === b[name]);
}

function parsedOrNull(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
