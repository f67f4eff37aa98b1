import { describe, expect, it } from '@jest/globals';
import { defineTool, evaluateToolCall, ToolCatalogue } from '#libs/tooling';
import {
  OrderDraftItemRequestSchema,
  SaveOrUpdateOrderDraftParamsSchema,
} from '../../../../examples/order-entry/capstan/domains/order-entry/order-draft/order-draft.schema.ts';
import type { OrderDraftItemRequest } from '../../../../examples/order-entry/capstan/domains/order-entry/order-draft/order-draft.schema.ts';

const line: OrderDraftItemRequest = {
  item_num: 'VEG-1010',
  quantity: 2,
  pack_size: '25 LB',
  uom: 'CS',
  remark: 'ripe please',
  original_text: '2 cs roma tomatoes, ripe please',
  status: 'success',
  help_request_message: null,
  confidence: 'high',
};

const CATALOGUE = new ToolCatalogue([
  {
    ...defineTool({
      name: 'save_order_draft',
      label: 'save order draft',
      description: 'Saves a draft.',
      effect: 'idempotent',
      input: SaveOrUpdateOrderDraftParamsSchema,
      timeoutMs: 1_000,
      run: async () => ({ result: { status: 'success', result: {} } }),
    }),
    // As every tool of a domain.
    answersWith: 'result',
  },
]).pick(['save_order_draft']);

const evaluate = (args: string) =>
  evaluateToolCall({ toolName: 'save_order_draft', arguments: args }, CATALOGUE);
/** The refusal that the model reads. */
const refusal = (message: RegExp) => ({
  ...{ kind: 'refuse', reason: 'invalid_arguments' },
  output: expect.stringMatching(message) as unknown,
});

describe('OrderDraftItemRequestSchema', () => {
  it.each([
    ['a full line', {}],
    ['a null pack size', { pack_size: null }],
    ['a null remark', { remark: null }],
    ['a null help request', { help_request_message: null }],
    ['a fraction', { quantity: 0.5 }],
    ['no unit', { uom: '' }],
    ['each', { uom: 'Ea' }],
    ['pounds', { uom: 'Lbs' }],
    ['an open line', { status: 'todo', confidence: 'low' }],
  ])('accepts %s (S2-11)', (_what, override) => {
    expect(OrderDraftItemRequestSchema.safeParse({ ...line, ...override }).success).toBe(true);
  });

  it.each([
    ['item_num', 12],
    ['item_num', null],
    ['quantity', '3'],
    ['quantity', null],
    ['pack_size', 3],
    ['uom', 'cs'],
    ['uom', 'KG'],
    ['status', 'done'],
    ['confidence', 'certain'],
  ])('refuses %s = %j and names the field (S2-11)', (field, value) => {
    const checked = OrderDraftItemRequestSchema.safeParse({ ...line, [field]: value });
    expect(checked.error?.issues[0]?.path).toEqual([field]);
  });

  it.each(Object.keys(line))('requires the key %s (S2-10)', (field) => {
    const entries = Object.entries(line).filter(([key]) => key !== field);
    expect(OrderDraftItemRequestSchema.safeParse(Object.fromEntries(entries)).success).toBe(false);
  });
});

describe('the input of save_order_draft', () => {
  it('is taken as it fits (S2-36)', () => {
    const params = { order_info: [line], customer_name: null };
    expect(evaluate(JSON.stringify(params))).toMatchObject({ kind: 'run', input: params });
  });

  it('is named so when it is not JSON (S2-34)', () => {
    expect(evaluate('{"order_info":')).toMatchObject(refusal(/"Invalid JSON for save order draft: /));
  });

  it.each([
    ['no lines', { order_info: [], customer_name: null }, 'order_info'],
    ['a missing customer_name', { order_info: [line] }, 'customer_name'],
    ['a wrong unit', { order_info: [{ ...line, uom: 'box' }], customer_name: null }, 'order_info.0.uom'],
    ['a list', [], 'object'],
  ])('with %s names the field (S2-35)', (_what, params, field) => {
    const message = new RegExp(`"Invalid parameters for save order draft: .*${field}`);
    expect(evaluate(JSON.stringify(params))).toMatchObject(refusal(message));
  });
});
