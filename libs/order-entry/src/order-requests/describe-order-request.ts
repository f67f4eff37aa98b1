import type { OrderRequestLineView, OrderRequestView } from './read-order-request.js';

/** The order request as text for a model: one line an item, open questions named. */
export function describeOrderRequest(order: OrderRequestView): string {
  const customer = order.customer?.name ?? order.customer_name ?? 'a customer who is not named';
  const lines = order.items.map((item, index) => `${index + 1}. ${describeLine(item)}`);
  return [`Order request ${order.id} of ${customer} is ${describeState(order)}:`, ...lines].join('\n');
}

function describeState({ status, is_saved, sending }: OrderRequestView): string {
  switch (status) {
    case 'sending':
      return 'being sent to the ordering service';
    case 'sent':
      return `ordered as ${sending?.order_number ?? 'an order without a number'}`;
    case 'failed':
      return 'confirmed by a person, and could not be sent';
    case 'draft':
      return is_saved ? 'confirmed by a person' : 'a draft';
  }
}

function describeLine(line: OrderRequestLineView): string {
  const item = [line.item_num, line.item_name].filter((part) => part !== null && part !== '').join(' ');
  const amount = `${line.quantity} ${line.uom}`.trim();
  const remark = line.remark === null ? '' : ` (${line.remark})`;
  const question = line.status === 'todo' ? ` [open: ${line.help_request_message ?? 'needs a person'}]` : '';
  return `${item === '' ? line.original_text : item}: ${amount}${remark}${question}`;
}
