import { z } from 'zod';
import { sayTable } from '../local/table.ts';
import { say, style } from '../local/terminal.ts';

/** The fields read from `GET /api/order-requests/{id}/`. */
export const ORDER_REQUEST = z.object({
  id: z.number(),
  status: z.string(),
  customer: z.object({ name: z.string(), account_number: z.number() }).nullable(),
  customer_name: z.string().nullable(),
  items: z.array(
    z.object({
      item_num: z.string(),
      quantity: z.number(),
      uom: z.string(),
      status: z.string(),
      item_name: z.string().nullable(),
      remark: z.string().nullable(),
      help_request_message: z.string().nullable(),
    }),
  ),
});

/** Prints an order request as a table with a row for each item. */
export function sayOrder(order: z.infer<typeof ORDER_REQUEST>): void {
  const { customer } = order;
  const account = customer === null ? '' : ` (account ${customer.account_number})`;
  const name = customer?.name ?? order.customer_name ?? 'unknown';
  say(`\n${style.bold(`Order request ${order.id}`)}  ${order.status}, customer: ${name}${account}`);
  sayTable(
    ['item', 'quantity', 'unit', 'status', 'name', 'remark'],
    order.items.map((item) => [
      item.item_num || '-',
      String(item.quantity),
      item.uom || '-',
      item.status,
      item.item_name ?? '-',
      item.help_request_message ?? item.remark ?? '',
    ]),
  );
}
