import { toStorableText } from '#libs/kernel';
import { defineTool, type ToolDefinition } from '#libs/tooling';
import type { EntityManager } from 'typeorm';
import { z } from 'zod';
import { orderNumberSchema } from '../order-number.js';
import type { SupportAgentFunctionCallResult } from '../support-agent-result.js';
import { TICKET_OPENED } from './ticket-opened.js';

/**
 * `open_ticket`: reserves the ticket's number and stages the ticket; its row is inserted when the execution settles (S4-20).
 * A repetition only reserves another number.
 */
export function openTicketTool(manager: EntityManager): ToolDefinition {
  return defineTool({
    name: 'open_ticket',
    label: 'open ticket',
    description:
      'Opens a ticket for the people of the support team and answers its number. Call it once per problem that you cannot solve.',
    effect: 'idempotent',
    input: z.object({
      subject: z.string().min(1).max(200).describe('The problem in one line.'),
      order_number: orderNumberSchema.nullable().describe('The order that it is about; null for none.'),
    }),
    timeoutMs: 10_000,
    run: async ({ subject, order_number: orderNumber }) => {
      const id = await reserveTicketId(manager);
      const result: SupportAgentFunctionCallResult = {
        status: 'success',
        result: { message: `Ticket ${id} is open.`, openedTicketId: id },
      };
      const data = { id, subject: toStorableText(subject), orderNumber };
      return { result, bake: { openedTicketId: id }, staged: [{ kind: TICKET_OPENED, data }] };
    },
  });
}

async function reserveTicketId(manager: EntityManager): Promise<number> {
  const rows: unknown = await manager.query(
    `SELECT nextval(pg_get_serial_sequence('support_ticket', 'id'))::int AS id`,
  );
  return z.tuple([z.object({ id: z.int() })]).parse(rows)[0].id;
}
