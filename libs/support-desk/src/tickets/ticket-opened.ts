import { AppError } from '#libs/kernel';
import { defineStagedChange } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { SupportTicket } from '../entities/support-ticket.entity.js';

/** Kind of the staged change that inserts a ticket. */
export const TICKET_OPENED = 'support_ticket.opened';

const INSERT_SQL = `
INSERT INTO support_ticket (id, tenant_id, execution_id, subject, order_number) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO NOTHING RETURNING id`;

/**
 * The staged change of `open_ticket`, with a reserved id. Idempotent; an id of another execution is
 * `SUPPORT_TICKET_ID_TAKEN`, since skipping it would silently lose a ticket.
 */
export const ticketOpened = defineStagedChange({
  data: z.object({ id: z.int().positive(), subject: z.string(), orderNumber: z.string().nullable() }),
  apply: async (manager: EntityManager, { id, subject, orderNumber }, { tenantId, executionId }) => {
    const inserted: unknown = await manager.query(INSERT_SQL, [
      id,
      tenantId,
      executionId,
      subject,
      orderNumber,
    ]);
    if (Array.isArray(inserted) && inserted.length === 1) return;
    if (!(await manager.existsBy(SupportTicket, { id, tenantId, executionId }))) throw idTaken(id);
  },
});

function idTaken(id: number): AppError {
  return new AppError({
    code: 'SUPPORT_TICKET_ID_TAKEN',
    kind: 'conflict',
    message: `ticket ${id} belongs to another execution`,
    details: { ticketId: id },
  });
}
