import { sayTable } from './present-table.mjs';
import { say, style } from './terminal.mjs';

/**
 * Prints an order request as `GET /api/order-requests/{id}/` answers it.
 * @param {any} order
 */
export function sayOrder(order) {
  const customer = order.customer === null ? (order.customer_name ?? 'unknown') : order.customer.name;
  const account = order.customer === null ? '' : ` (account ${order.customer.account_number})`;
  say(`\n${style.bold(`Order request ${order.id}`)}  ${order.status}, customer: ${customer}${account}`);
  sayTable(
    ['item', 'quantity', 'unit', 'line', 'name', 'remark'],
    order.items.map((/** @type {any} */ item) => [
      item.item_num === '' ? '-' : item.item_num,
      String(item.quantity),
      item.uom === '' ? '-' : item.uom,
      item.status ?? '',
      item.item_name ?? '-',
      item.help_request_message ?? item.remark ?? '',
    ]),
  );
}
