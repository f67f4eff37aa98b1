import type { NamedSchema } from 'capstan/kit';
import { z } from 'zod';
import { ORDER_REQUEST_STATUSES } from '../order-requests/order-request.ts';
import { OrderDraftItemRequestSchema } from '../order-draft/order-draft.schema.ts';
import type { OrderRequestView } from '../order-requests/read-order-request.ts';
import { SEND_FAULT_CODES } from '../sending/send-fault.ts';

const lineSchema = OrderDraftItemRequestSchema.extend({
  pack_size: z.string(),
  item_name: z.string().nullable(),
  item_name_ja: z.string().nullable(),
});

const sendingSchema = z.object({
  tries: z.int().describe('Number of tries with a known result.'),
  order_number: z
    .string()
    .nullable()
    .describe('Number of the order at the ordering service, once it has it.'),
  sent_at: z.iso.datetime().nullable(),
  failure: z
    .object({
      code: z.enum(SEND_FAULT_CODES),
      message: z.string(),
      status: z.int().nullable().describe('HTTP status of the ordering service; null if it did not answer.'),
      at: z.iso.datetime(),
    })
    .nullable()
    .describe('Failure of the last try; in the status `sending` another try follows.'),
  is_outcome_unknown: z
    .boolean()
    .describe('Whether the ordering service may have the order although no answer says so.'),
});

/** An order request as the API shows it. */
export const orderRequestSchema = z.object({
  id: z.int(),
  execution_id: z.uuid(),
  status: z.enum(ORDER_REQUEST_STATUSES),
  customer: z.object({ account_number: z.int(), name: z.string() }).nullable(),
  customer_name: z.string().nullable(),
  is_saved: z.boolean().describe('Whether a person has confirmed the order.'),
  version: z.int().describe('Number of the version, from 1; part of the `ETag`.'),
  sending: sendingSchema.nullable().describe('State of sending; null before.'),
  items: z.array(lineSchema),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const ORDER_REQUEST_EXAMPLE: Omit<z.input<typeof orderRequestSchema>, 'items'> = {
  id: 5,
  execution_id: '01980a5e-7c1f-7d3a-9c55-2f6f0b6a4e01',
  status: 'sent',
  customer: { account_number: 1042, name: 'Aoki Grocery' },
  customer_name: 'Aoki Grocery',
  is_saved: true,
  version: 4,
  sending: {
    tries: 1,
    order_number: 'SO-1001',
    sent_at: '2026-11-22T09:04:10.120Z',
    failure: null,
    is_outcome_unknown: false,
  },
  created_at: '2026-11-22T09:00:03.480Z',
  updated_at: '2026-11-22T09:04:10.120Z',
};

const LINE_EXAMPLE: z.input<typeof lineSchema> = {
  item_num: '10231',
  quantity: 5,
  pack_size: '25 LB',
  uom: 'CS',
  remark: null,
  original_text: '5 cases of roma tomatoes',
  status: 'success',
  help_request_message: null,
  confidence: 'high',
  item_name: 'TOMATO ROMA 25#',
  item_name_ja: null,
};

/** Schema and example of an order request, for all routes that answer one. */
export const describedOrderRequest: NamedSchema<z.infer<typeof orderRequestSchema>> = {
  name: 'OrderRequest',
  schema: orderRequestSchema,
  example: { ...ORDER_REQUEST_EXAMPLE, items: [LINE_EXAMPLE] },
};

export function toAnswer(order: OrderRequestView): z.infer<typeof orderRequestSchema> {
  return { ...order, items: [...order.items] };
}
