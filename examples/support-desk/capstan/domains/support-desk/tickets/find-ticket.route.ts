import { defineRoute, Refusal } from 'capstan/kit';
import { z } from 'zod';
import {
  TICKET_COLUMNS,
  TICKET_EXAMPLE,
  ticketIdSchema,
  ticketSchema,
  toTicketView,
  type TicketRow,
} from './ticket-view.ts';

const SELECT_SQL = `SELECT ${TICKET_COLUMNS} FROM support_desk.ticket WHERE id = $1 AND tenant_id = $2`;

export const getSupportTicket = defineRoute({
  method: 'GET',
  path: 'support-tickets/:id',
  operation: 'getSupportTicket',
  tag: 'support desk',
  summary: 'Read a support ticket',
  description: 'A ticket exists once its execution has settled.',
  scope: 'executions:read',
  params: z.object({ id: ticketIdSchema.describe('The number of the ticket.') }),
  answer: {
    name: 'SupportTicket',
    schema: ticketSchema,
    example: TICKET_EXAMPLE,
    status: 200,
    description: 'The ticket.',
  },
  problems: [404],
  handle: async ({ tenantId, params }, { database }) => {
    const [ticket] = await database.query<TicketRow>(SELECT_SQL, [params.id, tenantId]);
    if (ticket === undefined) throw new Refusal('not_found', 'Support ticket not found');
    return toTicketView(ticket);
  },
});
