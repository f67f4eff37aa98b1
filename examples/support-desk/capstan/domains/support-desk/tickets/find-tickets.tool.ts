import { defineTool } from 'capstan/kit';
import { z } from 'zod';
import { toLikePatterns } from './to-like-patterns.ts';

const MAX_FOUND = 10;

const SELECT_SQL = `
SELECT id, subject, order_number FROM support_desk.ticket
WHERE tenant_id = $1 AND (subject ILIKE ANY ($2::text[]) OR order_number ILIKE ANY ($2::text[]))
ORDER BY id DESC LIMIT ${MAX_FOUND}`;

interface FoundTicket {
  readonly id: number;
  readonly subject: string;
  readonly order_number: string | null;
}

/** Finds tickets with any of the words, so that known problems get no second ticket. */
export const findTickets = defineTool({
  name: 'find_tickets',
  description:
    'Finds tickets that are open already, by words of their subject or an order number; the newest first. ' +
    "A ticket opened just now can be found from the customer's next message on.",
  effect: 'read',
  input: z.object({ words: z.string().min(1).max(200) }),
  limits: { timeoutMs: 10_000 },
  run: async ({ words }, { database, tenantId }) => {
    const tickets = await database.query<FoundTicket>(SELECT_SQL, [tenantId, toLikePatterns(words)]);
    return { message: `${tickets.length} found.`, tickets };
  },
});
