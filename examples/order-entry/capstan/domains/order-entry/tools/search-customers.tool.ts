import { defineTool } from 'capstan/kit';
import { searchCustomers } from '../search/search-customers.ts';
import { DEFAULT_LIMIT, searchInputSchema } from './search-input.schema.ts';

/** Tolerant search of customers. */
export const searchCustomersTool = defineTool({
  name: 'search_customers',
  description:
    'Finds customers by name (English or Japanese, misspellings are fine), account number or e-mail address. Best ' +
    'match first; score 1 is exact.',
  effect: 'read',
  input: searchInputSchema,
  limits: { timeoutMs: 10_000 },
  run: async ({ query, limit }, { tenantId, database }) => {
    const customers = await searchCustomers(database, { tenantId, query, limit: limit ?? DEFAULT_LIMIT });
    return { message: describeCount(customers.length, query), customers };
  },
});

function describeCount(count: number, query: string): string {
  if (count === 0) return `No customer is near to "${query}".`;
  return count === 1 ? '1 customer found.' : `${count} customers found, best match first.`;
}
