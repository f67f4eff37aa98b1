import { defineRoute } from 'capstan/kit';
import { z } from 'zod';
import { changeOrderRequest } from '../order-changes/change-order-request.ts';
import { ORDER_UOMS } from '../order-draft/uom.ts';
import { describedOrderRequest, toAnswer } from './order-request.schema.ts';
import { idSchema } from '../values.ts';

const MAX_LINES = 500;
const text = z.string().max(10_000);

const changedLineSchema = z.strictObject({
  item_num: z
    .string()
    .max(200)
    .describe('Number of the item in the catalogue; empty while the item is unknown.'),
  quantity: z.number().min(0).max(1_000_000),
  pack_size: z.string().max(200),
  uom: z.enum(ORDER_UOMS),
  remark: text.nullable(),
  original_text: text,
  status: z.enum(['success', 'todo']).describe('`todo`: a person has to decide on the line.'),
  help_request_message: text.nullable(),
  confidence: z.enum(['high', 'medium', 'low']),
  item_name: text
    .nullable()
    .optional()
    .describe('Name of the item in the catalogue, as answers have it; ignored in a request.'),
  item_name_ja: text.nullable().optional().describe('Japanese name of the item; ignored in a request.'),
});

/** Lets a person correct and confirm lines. */
export const changeOrderRequestRoute = defineRoute({
  method: 'PATCH',
  path: 'order-requests/:id',
  operation: 'changeOrderRequest',
  tag: 'order entry',
  summary: 'Change or confirm an order request',
  description:
    'Omitted fields stay as they are. `items` replaces all lines. `is_saved: true` confirms the order: every line must be ready, ' +
    'with an item of the catalogue and an amount. An order that could not be sent becomes a draft again.',
  scope: 'approvals:decide',
  params: z.object({ id: idSchema.describe('The id of the order request.') }),
  body: {
    name: 'OrderRequestPatch',
    schema: z.strictObject({
      items: z.array(changedLineSchema).max(MAX_LINES).optional(),
      is_saved: z.boolean().optional(),
    }),
    example: { is_saved: true },
  },
  answer: { ...describedOrderRequest, status: 200, description: 'The order request as it is now.' },
  versionOf: ({ version }) => version,
  changesIfMatch: true,
  problems: [404, 409, 422],
  handle: async (request, { database }) => {
    const { tenantId, keyId, expectedVersions, params, body } = request;
    const items = body.items?.map(({ item_name: _name, item_name_ja: _nameJa, ...line }) => line);
    const changed = await changeOrderRequest(
      database,
      { tenantId, keyId, expectedVersions, id: params.id },
      {
        ...(items !== undefined && { items }),
        ...(body.is_saved !== undefined && { isSaved: body.is_saved }),
      },
    );
    return toAnswer(changed);
  },
});
