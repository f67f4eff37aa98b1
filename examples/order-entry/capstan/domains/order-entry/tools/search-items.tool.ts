import { defineTool } from 'capstan/kit';
import { searchItems } from '../search/search-items.ts';
import { DEFAULT_LIMIT, searchInputSchema } from './search-input.schema.ts';

/** Tolerant search of the catalogue. */
export const searchItemsTool = defineTool({
  name: 'search_items',
  description:
    'Finds items of the catalogue by name (English or Japanese), alias, item number or a part of one. Misspellings ' +
    'are fine. Search for one item per call and leave quantities and politeness out. Best match first. Score 1 is ' +
    'exact, from 0.75 likely, below 0.6 probably something else; close scores mean that the words fit several items.',
  effect: 'read',
  input: searchInputSchema,
  limits: { timeoutMs: 10_000 },
  run: async ({ query, limit }, { tenantId, database }) => {
    const items = await searchItems(database, { tenantId, query, limit: limit ?? DEFAULT_LIMIT });
    return { message: describeCount(items.length, query), items };
  },
});

function describeCount(count: number, query: string): string {
  if (count === 0)
    return `No item of the catalogue is near to "${query}". Try another name, or mark the line todo.`;
  return count === 1 ? '1 item found.' : `${count} items found, best match first.`;
}
