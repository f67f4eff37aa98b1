import { AppError } from '#libs/kernel';
import { idSchema } from '#libs/payloads';
import { defineRoute, type DomainDependencies } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { SupportTicket } from '../entities/support-ticket.entity.js';
import { TICKET_EXAMPLE, ticketSchema, toTicketView } from './ticket-view.js';

export const findTicketRoute = defineRoute({
  method: 'GET',
  path: 'support-tickets/:id',
  operation: 'getSupportTicket',
  tag: 'support desk',
  summary: 'Read a support ticket',
  description: 'A ticket exists once its execution has settled.',
  scope: 'executions:read',
  params: z.object({ id: idSchema.describe('The number of the ticket.') }),
  answer: {
    name: 'SupportTicket',
    schema: ticketSchema,
    example: TICKET_EXAMPLE,
    status: 200,
    description: 'The ticket.',
  },
  problems: [404],
  handle: async ({ tenantId, params }, { manager }: DomainDependencies<EntityManager>) => {
    const ticket = await manager.findOneBy(SupportTicket, { id: params.id, tenantId });
    if (ticket === null)
      throw new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Support ticket not found' });
    return toTicketView(ticket);
  },
});
