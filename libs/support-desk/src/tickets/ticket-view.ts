import { z } from 'zod';
import type { SupportTicket } from '../entities/support-ticket.entity.js';

/** A ticket as the API shows it. */
export const ticketSchema = z.object({
  id: z.int(),
  execution_id: z.uuid(),
  subject: z.string(),
  order_number: z.string().nullable(),
  created_at: z.iso.datetime(),
});

export const TICKET_EXAMPLE: z.infer<typeof ticketSchema> = {
  id: 12,
  execution_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
  subject: 'The lamp arrived broken',
  order_number: 'A-1001',
  created_at: '2026-11-20T09:30:00.000Z',
};

export function toTicketView(ticket: SupportTicket): z.infer<typeof ticketSchema> {
  const { id, executionId, subject, orderNumber, createdAt } = ticket;
  return {
    id,
    execution_id: executionId,
    subject,
    order_number: orderNumber,
    created_at: createdAt.toISOString(),
  };
}
