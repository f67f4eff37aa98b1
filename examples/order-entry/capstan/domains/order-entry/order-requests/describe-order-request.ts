import type { OrderRequestLineView, OrderRequestView } from './read-order-request.ts';

/** Describes the order request for a model: one line for each item, with open questions. */
export function describeOrderRequest(order: OrderRequestView): string {
  const lines = order.items.map((item, index) => `${index + 1}. ${describeLine(item)}`);
  return [`Order request ${order.id} of ${customerOf(order)} is ${describeState(order)}:`, ...lines].join(
    '\n',
  );
}

/** Summarises the order request in a few words: state, customer, and number of open lines. */
export function outlineOrderRequest(order: OrderRequestView): string {
  const open = order.items.filter(({ status }) => status === 'todo').length;
  return `${describeState(order)}, of ${customerOf(order)}, ${order.items.length} lines, ${open} of them open`;
}

function customerOf({ customer, customer_name: name }: OrderRequestView): string {
  return customer?.name ?? name ?? 'a customer who is not named';
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
