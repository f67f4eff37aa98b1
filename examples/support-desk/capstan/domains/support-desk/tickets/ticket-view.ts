import { z } from 'zod';

const MAX_ID = 2_147_483_647;
const WORDS = `must be a whole number from 1 to ${MAX_ID}`;

/** Number of a ticket in a path or a cursor: digits only, so that `1e3` is refused. */
export const ticketIdSchema = z.preprocess(
  (value) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
  z.int(WORDS).min(1, WORDS).max(MAX_ID, WORDS),
);

/** A ticket as the API shows it. */
export const ticketSchema = z.object({
  id: z.int(),
  execution_id: z.uuid(),
  subject: z.string(),
  order_number: z.string().nullable(),
  created_at: z.iso.datetime(),
});
type TicketView = z.infer<typeof ticketSchema>;

/** A row of `support_desk.ticket`. */
export interface TicketRow extends Omit<TicketView, 'created_at'> {
  readonly created_at: Date;
}

/** Columns of {@link TicketRow}. */
export const TICKET_COLUMNS = 'id, execution_id, subject, order_number, created_at';

export const TICKET_EXAMPLE: TicketView = {
  id: 12,
  execution_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
  subject: 'The lamp arrived broken',
  order_number: 'A-1001',
  created_at: '2026-11-20T09:30:00.000Z',
};

export function toTicketView({ created_at, ...ticket }: TicketRow): TicketView {
  return { ...ticket, created_at: created_at.toISOString() };
}
