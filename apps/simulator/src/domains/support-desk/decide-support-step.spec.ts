import { describe, expect, it } from '@jest/globals';
import type { AnsweredTool } from './answered-tools.js';
import { decideSupportStep } from './decide-support-step.js';
import { readComplaint } from './read-complaint.js';

const LOOK_UP = 'mcp__shop__lookup_order';
const TOOLS = new Set([LOOK_UP, 'search_knowledge', 'find_tickets', 'open_ticket', 'refund']);
const found: AnsweredTool = {
  name: LOOK_UP,
  output: '[foreign content 1]\n{"number":"A-1001","total":"49.90"}\n[end of foreign content 1]',
};
const read: AnsweredTool = {
  name: 'search_knowledge',
  output: '[foreign content 2]\n{"status":"success","result":{"passages":[{"text":"Two years."}]}}\n[end]',
};
const paid: AnsweredTool = {
  name: 'refund',
  output:
    '{"status":"success","result":{"refundReceipt":{"orderNumber":"A-1001","amount":"49.90","receipt":"R-1"}}}',
};
const refused: AnsweredTool = { name: 'refund', output: 'A person has refused this call: not yet' };
const opened: AnsweredTool = {
  name: 'open_ticket',
  output: '{"status":"success","result":{"openedTicketId":7}}',
};
const ASKS_FOR_MONEY = 'Order A-1001 arrived broken, please refund it.\nMara';

function step(text: string, done: readonly AnsweredTool[] = [], tools: ReadonlySet<string> = TOOLS) {
  return decideSupportStep(readComplaint(text), tools, done);
}
const calling = (tool: string, known: object) => ({ kind: 'call', calls: [{ tool, known }] });

describe('the clerk of the support desk', () => {
  it('looks the order and the handbook up first', () => {
    expect(step(ASKS_FOR_MONEY)).toEqual({
      kind: 'call',
      calls: [
        { tool: LOOK_UP, known: { number: 'A-1001' } },
        { tool: 'search_knowledge', known: { question: ASKS_FOR_MONEY } },
      ],
    });
  });

  it('pays back what the order has cost, once', () => {
    const refund = calling('refund', {
      order_number: 'A-1001',
      amount: '49.90',
      reason: 'Order A-1001 arrived broken, please refund it.',
    });
    expect(step(ASKS_FOR_MONEY, [found, read])).toEqual(refund);
    expect(step(ASKS_FOR_MONEY, [found, read, paid])).toEqual({
      kind: 'say',
      text: 'We are sorry. 49.90 for the order A-1001 is on its way back to you, receipt R-1.',
    });
  });

  it.each([
    ['no person agreed', ASKS_FOR_MONEY, [found, refused]],
    ['the order is not known', ASKS_FOR_MONEY, [{ ...found, output: 'HTTP 404: {}' }]],
    ['there is only a problem', 'My parcel is late', [read]],
  ])('opens a ticket where %s', (_what, text, done) => {
    const subject = text.split('\n')[0];
    const order_number = text === ASKS_FOR_MONEY ? 'A-1001' : null;
    expect(step(text, done)).toEqual(calling('open_ticket', { subject, order_number }));
    expect(step(text, [...done, opened])).toMatchObject({ text: expect.stringContaining('ticket 7') });
  });

  it('quotes the handbook where nothing is wrong, and says so where it has none', () => {
    expect(step('How long is the warranty?', [read])).toEqual({
      kind: 'say',
      text: 'Our handbook says: Two years.',
    });
    expect(step('Hello', [], new Set())).toMatchObject({ kind: 'say' });
  });

  it('calls nothing that it was not given', () => {
    expect(step(ASKS_FOR_MONEY, [found], new Set([LOOK_UP]))).toMatchObject({ kind: 'say' });
  });
});
