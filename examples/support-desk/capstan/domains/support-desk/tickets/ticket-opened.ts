import { defineStagedChange, Refusal } from 'capstan/kit';
import { z } from 'zod';

/** Kind of the staged change that inserts a ticket. */
export const TICKET_OPENED = 'support_ticket.opened';

const INSERT_SQL = `
INSERT INTO support_desk.ticket (id, tenant_id, execution_id, subject, order_number) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO NOTHING RETURNING id`;
const SELECT_SQL = `
SELECT id FROM support_desk.ticket WHERE id = $1 AND tenant_id = $2 AND execution_id = $3`;

/**
 * The staged change of `open_ticket`, with a reserved id. Idempotent; an id of another execution is
 * `SUPPORT_TICKET_ID_TAKEN`, since skipping it would silently lose a ticket.
 */
export const ticketOpened = defineStagedChange({
  data: z.object({ id: z.int().positive(), subject: z.string(), orderNumber: z.string().nullable() }),
  apply: async (database, { id, subject, orderNumber }, { tenantId, executionId }) => {
    const inserted = await database.query(INSERT_SQL, [id, tenantId, executionId, subject, orderNumber]);
    if (inserted.length === 1) return;
    const own = await database.query(SELECT_SQL, [id, tenantId, executionId]);
    if (own.length === 0)
      throw new Refusal('conflict', `ticket ${id} belongs to another execution`, {
        code: 'SUPPORT_TICKET_ID_TAKEN',
      });
  },
});
