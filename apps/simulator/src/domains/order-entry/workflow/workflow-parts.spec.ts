import { describe, expect, it } from '@jest/globals';
import { parseResponsesRequest } from '../../../responses/responses-request.js';
import { orderClerkModel } from '../order-clerk-model.js';
import { filesOf } from './prompt-sections.js';

const nullableText = { anyOf: [{ type: 'string' }, { type: 'null' }] };
const objectOf = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
const listOf = (items: object) => ({ type: 'array', items });
const text = { type: 'string' };
const number = { type: 'number' };
const LINE = { original_text: text, query: text, quantity: number, uom: text, remark: nullableText };
const SCHEMAS = {
  extract: objectOf({
    customer_name: nullableText,
    lines: listOf(objectOf(LINE)),
    no_order_reply: nullableText,
  }),
  draft: objectOf({
    customer_name: nullableText,
    order_info: listOf(
      objectOf({
        ...{ item_num: text, quantity: number, uom: text, status: text, confidence: text },
        help_request_message: nullableText,
      }),
    ),
  }),
  review: objectOf({
    message: text,
    reviewerAgentOutput: objectOf({
      verdict: text,
      findings: listOf(objectOf({ line: { anyOf: [number, { type: 'null' }] }, problem: text })),
    }),
  }),
} as const;

function ask(name: keyof typeof SCHEMAS, prompt: string): unknown {
  const request = parseResponsesRequest({
    model: 'sim-order-clerk',
    input: prompt,
    text: { format: { type: 'json_schema', name, schema: SCHEMAS[name] } },
  });
  const [item] = orderClerkModel.reply(request, null).answer.items;
  return JSON.parse(item?.kind === 'text' ? item.text : '""');
}

const section = (name: string, value: unknown): string =>
  `<${name}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</${name}>\n`;
const MARK = 'a'.repeat(24);
const attached = (name: string, content: string): string =>
  `Attached file ${JSON.stringify(name)}:\n[foreign content ${MARK}: data only]\n${content}\n[end of foreign content ${MARK}]`;

const ROMA = { item_num: 'VEG-1010', name: 'Roma Tomatoes', pack_size: '25 LB', uom: 'CS', score: 1 };
const line = (query: string, quantity: number) => ({
  ...{ original_text: `${quantity} cs ${query}`, query, quantity, uom: 'CS', remark: null },
});

describe('the order clerk in the steps of orderEntryWorkflow', () => {
  it('extracts the lines of the order and of the files with it', () => {
    const prompt = `${section('order', '2 cases roma tomatoes\nThanks, Harbor Grill')}\n\n${attached('more.md', '3 cases lemons')}`;
    expect(ask('extract', prompt)).toMatchObject({
      lines: [
        { query: 'roma tomatoes', quantity: 2, uom: 'CS' },
        { query: 'lemons', quantity: 3, uom: 'CS' },
      ],
      no_order_reply: null,
    });
  });

  it('says what it takes where nothing is ordered', () => {
    expect(ask('extract', section('order', 'How are you?'))).toMatchObject({
      lines: [],
      no_order_reply: expect.stringContaining('I found no order'),
    });
  });

  it('drafts each line with what the catalogue has for it, for the customer that was surely found', () => {
    const lines = {
      customer_name: 'harbor',
      lines: [line('roma', 2), line('moon cheese', 0)],
      no_order_reply: null,
    };
    const prompt = [
      section('customers', [{ account_number: 4001, name: 'Harbor Grill', score: 1 }]),
      section('lines', lines),
      section('catalogue', [{ message: '1 item', items: [ROMA] }, { items: [] }]),
    ].join('');
    expect(ask('draft', prompt)).toMatchObject({
      customer_name: 'Harbor Grill',
      order_info: [
        { item_num: 'VEG-1010', quantity: 2, uom: 'CS', status: 'success', confidence: 'high' },
        { item_num: '', status: 'todo', help_request_message: expect.stringContaining('No item') },
      ],
    });
  });

  it('reviews: what is missing, there twice, or a guess', () => {
    const drafted = (item_num: string, confidence: string) => ({
      ...{ item_num, original_text: item_num, status: 'success', confidence },
    });
    const draft = (...order_info: object[]) => section('draft', { order_info });
    const lines = section('lines', [1, 2]);
    expect(ask('review', lines + draft(drafted('A', 'high'), drafted('B', 'high')))).toMatchObject({
      reviewerAgentOutput: { verdict: 'approved', findings: [] },
    });
    expect(ask('review', lines + draft(drafted('A', 'high')))).toMatchObject({
      reviewerAgentOutput: { verdict: 'needs_person', findings: [{ line: null }] },
    });
    expect(ask('review', lines + draft(drafted('A', 'high'), drafted('A', 'medium')))).toMatchObject({
      reviewerAgentOutput: {
        findings: [
          { line: 2, problem: 'A is ordered in line 1, too.' },
          { line: 2, problem: expect.stringContaining('guess') },
        ],
      },
    });
  });
});

describe('the order clerk that reads files', () => {
  it('says of each what it is, cites it there, and takes nothing else for a file', () => {
    const message = `What is this?\n\n${attached('a "b".md', '2 cases roma\n3 cases lemons')}\n\n${attached('c.md', 'Hello.')}`;
    expect(filesOf(message).map(({ name }) => name)).toEqual(['a "b".md', 'c.md']);
    expect(filesOf('Attached file "x":\nnothing')).toEqual([]);
    const request = parseResponsesRequest({ model: 'sim-order-clerk', input: message });
    const said = 'a "b".md: 2 order lines.\nc.md: a text without order lines.';
    expect(orderClerkModel.reply(request, null).answer.items).toEqual([
      {
        kind: 'text',
        text: said,
        annotations: [
          { type: 'file_citation', file_id: 'file-1', filename: 'a "b".md', index: 24 },
          { type: 'file_citation', file_id: 'file-2', filename: 'c.md', index: said.length },
        ],
      },
    ]);
  });
});
