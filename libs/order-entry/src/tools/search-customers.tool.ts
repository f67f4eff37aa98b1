import { defineTool } from '#libs/tooling';
import type { ToolDefinition } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { searchCustomers } from '../search/search-customers.js';
import { DEFAULT_LIMIT, searchInputSchema } from './search-input.schema.js';

/** `search_customers`: tolerant search of customers (S2-9). */
export function searchCustomersTool(manager: EntityManager): ToolDefinition {
  return defineTool({
    name: 'search_customers',
    label: 'search customers',
    description:
      'Finds customers by name (English or Japanese, misspellings are fine), account number or e-mail address. Best ' +
      'match first; score 1 is exact.',
    effect: 'read',
    input: searchInputSchema,
    timeoutMs: 10_000,
    run: async ({ query, limit }, { tenantId }) => {
      const customers = await searchCustomers(manager, { tenantId, query, limit: limit ?? DEFAULT_LIMIT });
      return {
        result: { status: 'success', result: { message: describeCount(customers.length, query), customers } },
      };
    },
  });
}

function describeCount(count: number, query: string): string {
  if (count === 0) return `No customer is near to "${query}".`;
  return count === 1 ? '1 customer found.' : `${count} customers found, best match first.`;
}
