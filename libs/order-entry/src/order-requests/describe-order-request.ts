import type { OrderRequestLineView, OrderRequestView } from './read-order-request.js';

/** The order request as text for a model: one line an item, open questions named. */
export function describeOrderRequest(order: OrderRequestView): string {
  const customer = order.customer?.name ?? order.customer_name ?? 'a customer who is not named';
  const state = order.is_saved ? 'confirmed by a person' : 'a draft';
  const lines = order.items.map((item, index) => `${index + 1}. ${describeLine(item)}`);
  return [`Order request ${order.id} of ${customer} is ${state}:`, ...lines].join('\n');
}

function describeLine(line: OrderRequestLineView): string {
  const item = [line.item_num, line.item_name].filter((part) => part !== null && part !== '').join(' ');
  const amount = `${line.quantity} ${line.uom}`.trim();
  const remark = line.remark === null ? '' : ` (${line.remark})`;
  const question = line.status === 'todo' ? ` [open: ${line.help_request_message ?? 'needs a person'}]` : '';
  return `${item === '' ? line.original_text : item}: ${amount}${remark}${question}`;
}
