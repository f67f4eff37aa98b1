import { defineList } from 'capstan/kit';
import {
  TICKET_COLUMNS,
  TICKET_EXAMPLE,
  ticketIdSchema,
  ticketSchema,
  toTicketView,
  type TicketRow,
} from './ticket-view.ts';

/** `coalesce` keeps the first page a range of the index; an `OR` would not. */
const SELECT_SQL = `
SELECT ${TICKET_COLUMNS} FROM support_desk.ticket
WHERE tenant_id = $1 AND id < coalesce($2::bigint, 2147483648) ORDER BY id DESC LIMIT $3`;

export const listSupportTickets = defineList({
  path: 'support-tickets',
  operation: 'listSupportTickets',
  tag: 'support desk',
  summary: 'List support tickets',
  description: 'Tickets of settled executions, newest first.',
  scope: 'executions:read',
  row: { name: 'SupportTicketSummary', schema: ticketSchema, example: TICKET_EXAMPLE },
  key: ticketIdSchema,
  keyOf: ({ id }) => id,
  read: async ({ tenantId, after, limit }, { database }) => {
    const tickets = await database.query<TicketRow>(SELECT_SQL, [tenantId, after, limit]);
    return tickets.map(toTicketView);
  },
});
