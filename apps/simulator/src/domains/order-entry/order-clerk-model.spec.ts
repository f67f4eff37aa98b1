import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseResponsesRequest } from '../../responses/responses-request.js';
import { matchItem } from './match-item.js';
import { orderClerkModel } from './order-clerk-model.js';
import { readOrder } from './read-order.js';

const NULLABLE_TEXT = { anyOf: [{ type: 'string' }, { type: 'null' }] };
const LINE = {
  type: 'object',
  properties: {
    item_num: { type: 'string' },
    quantity: { type: 'number' },
    pack_size: NULLABLE_TEXT,
    uom: { type: 'string', enum: ['CS', 'Ea', 'Lbs', ''] },
    remark: NULLABLE_TEXT,
    original_text: { type: 'string' },
    status: { type: 'string', enum: ['success', 'todo'] },
    help_request_message: NULLABLE_TEXT,
    confidence: { type: 'string', enum: ['high', 'medium', 'low'] },
  },
};
const SEARCH = {
  type: 'function',
  name: 'search_items',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' }, limit: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
  },
};
const SEARCH_CUSTOMERS = { ...SEARCH, name: 'search_customers' };
const SAVE = {
  type: 'function',
  name: 'save_order_draft',
  parameters: {
    type: 'object',
    properties: { order_info: { type: 'array', items: LINE }, customer_name: NULLABLE_TEXT },
  },
};
const TOOLS = [SEARCH, SAVE];

const ROMA = { item_num: 'VEG-1010', name: 'Roma Tomatoes', pack_size: '25 LB', uom: 'CS', score: 1 };
const LEMON = { item_num: 'FRT-2010', name: 'Lemons', pack_size: '115 CT', uom: 'CS', score: 0.8 };
const BASIL = { item_num: 'VEG-1200', name: 'Fresh Basil', pack_size: '1 LB', uom: 'Ea', score: 0.95 };

const argumentsSchema = z.looseObject({
  query: z.string().optional(),
  order_info: z
    .array(z.looseObject({ quantity: z.number(), help_request_message: z.string().nullable() }))
    .optional(),
});

interface Call {
  readonly name: string;
  readonly known: z.infer<typeof argumentsSchema>;
  readonly written: string;
}

/** Asks the clerk, and returns its text and calls. */
function ask(input: unknown, extra: object = {}): { readonly text: string; readonly calls: readonly Call[] } {
  const request = parseResponsesRequest({ model: 'sim-order-clerk', input, tools: TOOLS, ...extra });
  const { items } = orderClerkModel.reply(request, null).answer;
  return {
    text: items.map((item) => (item.kind === 'text' ? item.text : '')).join(''),
    calls: items.flatMap((item) =>
      item.kind === 'call'
        ? [
            {
              name: item.name,
              known: argumentsSchema.parse(JSON.parse(item.arguments)),
              written: item.arguments,
            },
          ]
        : [],
    ),
  };
}

/** Plays the tools: `search` answers a query, `save` the draft. */
function converse(text: string, search: (query: unknown) => unknown, save: unknown, extra: object = {}) {
  const input: object[] = [{ role: 'user', content: text }];
  const drafts: NonNullable<Call['known']['order_info']> = [];
  const rounds: string[][] = [];
  for (let round = 0; round < 30; round += 1) {
    const { text: said, calls } = ask(input, extra);
    if (calls.length === 0) return { said, rounds, drafts };
    rounds.push(calls.map((call) => call.name));
    calls.forEach((call, index) => {
      const call_id = `call_${round}_${index}`;
      const isSave = call.name === 'save_order_draft';
      if (isSave) drafts.push(...(call.known.order_info ?? []));
      const output = JSON.stringify(isSave ? save : { status: 'success', result: search(call.known.query) });
      input.push({ type: 'function_call', call_id, name: call.name, arguments: call.written });
      input.push({ type: 'function_call_output', call_id, output });
    });
  }
  throw new Error('the clerk does not come to an end');
}

const SAVED = { status: 'success', result: { message: 'saved', savedOrderRequestId: 5 } };
const catalogue = (query: unknown): unknown => ({
  items: [ROMA, LEMON, BASIL].filter((item) =>
    String(query).toLowerCase().includes(item.name.slice(-6, -2).toLowerCase()),
  ),
});

describe('the order clerk', () => {
  it('searches every line in parallel, saves once and confirms', () => {
    const { rounds, drafts, said } = converse(
      '3 cs roma tomatoes\n2 cs lemons\n1 ea fresh basil',
      catalogue,
      SAVED,
    );
    expect(rounds).toEqual([['search_items', 'search_items', 'search_items'], ['save_order_draft']]);
    expect(
      drafts.map((line) => [
        line['item_num'],
        line.quantity,
        line['uom'],
        line['status'],
        line['confidence'],
      ]),
    ).toEqual([
      ['VEG-1010', 3, 'CS', 'success', 'high'],
      ['FRT-2010', 2, 'CS', 'success', 'medium'],
      ['VEG-1200', 1, 'Ea', 'success', 'high'],
    ]);
    expect(drafts[0]).toEqual({
      item_num: 'VEG-1010',
      quantity: 3,
      pack_size: '25 LB',
      uom: 'CS',
      remark: null,
      original_text: '3 cs roma tomatoes',
      status: 'success',
      help_request_message: null,
      confidence: 'high',
    });
    expect(said).toBe('Thank you. Order request 5 is saved as a draft: 3 lines, all ready.');
  });

  it('fills every field of the tool as it is given, null if it may be', () => {
    const [call] = ask('3 cs roma tomatoes').calls;
    expect(call?.known).toEqual({ query: 'roma tomatoes', limit: null });
    const limited = {
      ...SEARCH,
      parameters: {
        type: 'object',
        properties: { query: { type: 'string' }, limit: { type: 'integer', minimum: 1 } },
      },
    };
    expect(ask('3 cs roma tomatoes', { tools: [limited, SAVE] }).calls[0]?.known).toEqual({
      query: 'roma tomatoes',
      limit: 1,
    });
  });

  it('leaves to a person what was not found, and says so', () => {
    const { drafts, said } = converse('3 cs roma tomatoes\n1 cs edible gold leaf', catalogue, SAVED);
    expect(drafts[1]).toMatchObject({
      item_num: '',
      status: 'todo',
      confidence: 'low',
      help_request_message: 'No item of the catalogue fits.',
    });
    expect(said).toContain('2 lines, 1 ready');
    expect(said).toContain('- line 2 "1 cs edible gold leaf": No item of the catalogue fits.');
  });

  it('answers Japanese in Japanese', () => {
    const { said, drafts } = converse(
      'トマト 3ケース\n金箔 1個',
      (query) => ({ items: query === 'トマト' ? [ROMA] : [] }),
      SAVED,
    );
    expect(said).toContain('注文番号5の下書きを保存しました（全2件、うち1件は確認済み）');
    expect(drafts[1]?.help_request_message).toBe('該当する商品が見つかりません。');
  });

  it('asks about a unit that the item is not sold by', () => {
    const { drafts } = converse('3 lbs roma tomatoes', catalogue, SAVED);
    expect(drafts[0]).toMatchObject({
      uom: 'Lbs',
      status: 'todo',
      help_request_message: 'Asked for in Lbs, but sold by CS.',
    });
  });

  it('takes the unit of the item, less surely, when the customer names none', () => {
    const { drafts } = converse('- 3 roma tomatoes', catalogue, SAVED);
    expect(drafts[0]).toMatchObject({ uom: 'CS', status: 'success', confidence: 'medium' });
  });

  it('looks up the customer in the same round when it can', () => {
    const found = (query: unknown): unknown =>
      query === 'Casa Mariposa'
        ? { customers: [{ name: 'Casa Mariposa LLC', score: 0.9 }] }
        : catalogue(query);
    const text = 'this is Rosa from Casa Mariposa.\n3 cs roma tomatoes';
    expect(converse(text, found, SAVED, { tools: [...TOOLS, SEARCH_CUSTOMERS] }).rounds).toEqual([
      ['search_items', 'search_customers'],
      ['save_order_draft'],
    ]);
    const input = [{ role: 'user', content: text }];
    expect(ask(input).calls.map((call) => call.name)).toEqual(['search_items']);
  });

  it('calls one tool at a time when parallel calls are off', () => {
    const { rounds, drafts } = converse('3 cs roma tomatoes\n2 cs lemons\n4 cs lemons', catalogue, SAVED, {
      parallel_tool_calls: false,
    });
    expect(rounds).toEqual([['search_items'], ['search_items'], ['save_order_draft']]);
    expect(drafts.map((line) => line.quantity)).toEqual([3, 2, 4]);
  });

  it('decides the same when the same request comes again', () => {
    const input = [{ role: 'user', content: '3 cs roma tomatoes\n2 cs lemons' }];
    expect(ask(input)).toEqual(ask(input));
  });

  it('goes on when a search fails and says when saving fails', () => {
    const failing = converse('3 cs roma tomatoes', () => 'oops', {
      status: 'error',
      result: { message: 'no' },
    });
    expect(failing.drafts[0]).toMatchObject({
      status: 'todo',
      help_request_message: 'The catalogue could not be searched.',
    });
    expect(failing.said).toContain('could not be saved');
  });

  it.each([
    ['Hello, what are your opening hours?', 'I found no order'],
    ['こんにちは、営業時間を教えてください。', '注文が見つかりませんでした'],
  ])('answers politely and without tools what is no order: %s', (text, answer) => {
    expect(ask(text)).toMatchObject({ calls: [], text: expect.stringContaining(answer) });
  });

  it('says which tool it misses', () => {
    expect(ask('3 cs lemons', { tools: [SEARCH] }).text).toContain('"save_order_draft" is not available');
    expect(ask('3 cs lemons', { tool_choice: 'none' }).text).toContain('"search_items" is not available');
  });

  it('takes a new message as a new order', () => {
    const input = [
      { role: 'user', content: '3 cs lemons' },
      { type: 'function_call', call_id: 'call_1', name: 'search_items', arguments: '{"query":"lemons"}' },
      { type: 'function_call_output', call_id: 'call_1', output: '{}' },
      { role: 'assistant', content: 'Saved.' },
      { role: 'user', content: 'also 2 cs lemons please' },
    ];
    expect(ask(input).calls.map((call) => call.known)).toEqual([{ query: 'lemons', limit: null }]);
  });

  it('says in its card that it is rules and no language model', () => {
    expect(orderClerkModel.card.description).toContain('made of rules, not a language model');
  });
});

describe('the item a line means', () => {
  const [line] = readOrder('2 cs VEG-1O10 tomatoes').lines;
  const plain = readOrder('2 cs tomatoes').lines[0];
  const cherry = { ...ROMA, item_num: 'VEG-1015', score: 0.78 };

  it.each([
    ['its code, letters read as digits', line, [LEMON, ROMA], { kind: 'sure', item: ROMA }],
    ['an exact name beside others', plain, [ROMA, { ...cherry, score: 0.98 }], { kind: 'sure', item: ROMA }],
    ['a near name', plain, [{ ...ROMA, score: 0.8 }], { kind: 'weak' }],
    [
      'several names as near',
      plain,
      [{ ...ROMA, score: 0.8 }, cherry],
      { kind: 'ambiguous', others: [cherry] },
    ],
    ['nothing near', plain, [{ ...ROMA, score: 0.5 }], { kind: 'none' }],
    ['nothing at all', plain, [], { kind: 'none', nearest: null }],
    ['a failed search', plain, null, { kind: 'search_failed' }],
  ])('is decided by %s', (_name, asked, found, expected) => {
    expect(asked === undefined ? null : matchItem(asked, found)).toMatchObject(expected);
  });
});
