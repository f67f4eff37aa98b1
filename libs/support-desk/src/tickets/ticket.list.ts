import { idSchema } from '#libs/payloads';
import { defineList } from '#libs/tooling';
import { LessThan, type EntityManager } from 'typeorm';
import { SupportTicket } from '../entities/support-ticket.entity.js';
import { TICKET_EXAMPLE, ticketSchema, toTicketView } from './ticket-view.js';

export const ticketList = defineList({
  path: 'support-tickets',
  operation: 'listSupportTickets',
  tag: 'support desk',
  summary: 'List support tickets',
  description: 'Tickets of settled executions, newest first.',
  scope: 'executions:read',
  row: { name: 'SupportTicketSummary', schema: ticketSchema, example: TICKET_EXAMPLE },
  key: idSchema,
  keyOf: ({ id }) => id,
  read: async ({ tenantId, after, limit }, { manager }: { readonly manager: EntityManager }) => {
    const where = { tenantId, ...(after !== null && { id: LessThan(after) }) };
    const tickets = await manager.find(SupportTicket, { where, order: { id: 'DESC' }, take: limit });
    return tickets.map(toTicketView);
  },
});
