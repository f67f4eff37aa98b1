import { defineTool, type ToolDefinition } from '#libs/tooling';
import { ILike, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { SupportTicket } from '../entities/support-ticket.entity.js';
import { toLikePatterns } from './to-like-patterns.js';

const MAX_FOUND = 10;

/** `find_tickets`: finds tickets with any of the words, so that known problems get no second ticket (S2-9). */
export function findTicketsTool(manager: EntityManager): ToolDefinition {
  return defineTool({
    name: 'find_tickets',
    label: 'find tickets',
    description:
      'Finds tickets that are open already, by words of their subject or an order number; the newest first. ' +
      "A ticket opened just now can be found from the customer's next message on.",
    effect: 'read',
    input: z.object({ words: z.string().min(1).max(200) }),
    timeoutMs: 10_000,
    run: async ({ words }, { tenantId }) => {
      const where = toLikePatterns(words).flatMap((pattern) => [
        { tenantId, subject: ILike(pattern) },
        { tenantId, orderNumber: ILike(pattern) },
      ]);
      const found =
        where.length === 0
          ? []
          : await manager.find(SupportTicket, { where, order: { id: 'DESC' }, take: MAX_FOUND });
      const tickets = found.map(({ id, subject, orderNumber }) => ({
        id,
        subject,
        order_number: orderNumber,
      }));
      return { result: { status: 'success', result: { message: `${tickets.length} found.`, tickets } } };
    },
  });
}
