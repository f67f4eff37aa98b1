import { defineTool } from 'capstan/kit';
import { z } from 'zod';
import { orderNumberSchema } from '../order-number.ts';
import { TICKET_OPENED } from './ticket-opened.ts';

const RESERVE_SQL = `SELECT nextval(pg_get_serial_sequence('support_desk.ticket', 'id'))::int AS id`;
const reservedSchema = z.tuple([z.object({ id: z.int() })]);

/**
 * Reserves the ticket's number and stages the ticket; its row is inserted when the execution settles. A repetition only
 * reserves another number.
 */
export const openTicket = defineTool({
  name: 'open_ticket',
  description:
    'Opens a ticket for the people of the support team and answers its number. Call it once per problem that you cannot solve.',
  effect: 'idempotent',
  input: z.object({
    subject: z.string().min(1).max(200).describe('The problem in one line.'),
    order_number: orderNumberSchema.nullable().describe('The order that it is about; null for none.'),
  }),
  limits: { timeoutMs: 10_000 },
  run: async ({ subject, order_number: orderNumber }, { database, stage, bake }) => {
    const [{ id }] = reservedSchema.parse(await database.query(RESERVE_SQL));
    stage(TICKET_OPENED, { id, subject, orderNumber });
    bake({ openedTicketId: id });
    return { message: `Ticket ${id} is open.`, openedTicketId: id };
  },
});
