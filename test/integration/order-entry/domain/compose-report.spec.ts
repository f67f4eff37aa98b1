import { describe, expect, it } from '@jest/globals';
import { anOrderDraftLine } from '../../../support/builders/order-draft-line.js';
import { outputReportSchema } from '../../../../examples/order-entry/capstan/domains/order-entry/agent-results/output-report.ts';
import { transformToOrderEntryPayload } from '../../../../examples/order-entry/capstan/domains/order-entry/order-draft/order-entry-payload.ts';
import {
  composeReport,
  type ReviewedOrder,
} from '../../../../examples/order-entry/capstan/domains/order-entry/workflow/compose-report.ts';

const READY = anOrderDraftLine({ status: 'success', help_request_message: null });
const OPEN = anOrderDraftLine({
  status: 'todo',
  original_text: 'some cheese',
  help_request_message: 'Which one?',
});
const review = {
  verdict: 'needs_person',
  findings: [
    { line: null, problem: 'The ice is missing.' },
    { line: 2, problem: 'Which one?' },
  ],
} as const;

function report(order_info = [READY, OPEN], more: Partial<ReviewedOrder> = {}) {
  const payload = transformToOrderEntryPayload({ order_info, customer_name: null });
  const findings = [...review.findings];
  return composeReport({
    id: 7,
    customerName: 'Harbor Grill',
    payload,
    review: { ...review, findings },
    ...more,
  });
}

describe('the report of an order', () => {
  it('counts its lines, and says what is open of them and of the whole (S2-18)', () => {
    expect(report()).toEqual({
      summary: [
        'Order request 7 is drafted for Harbor Grill: 2 lines, 1 ready.',
        '- The ice is missing.',
        '- line 2 "some cheese": Which one?',
      ].join('\n'),
      orderRequestId: 7,
      customerName: 'Harbor Grill',
      readyLines: 1,
      openLines: 1,
      review,
    });
  });

  it('names no customer when none is named', () => {
    const whole = { customerName: null, review: { verdict: 'approved', findings: [] } } as const;
    expect(report([READY], { ...whole, review: { verdict: 'approved', findings: [] } })).toMatchObject({
      summary: 'Order request 7 is drafted: 1 line, 1 ready.',
      customerName: null,
      openLines: 0,
    });
  });

  it('can be stored for an order of any length and script (S2-18)', () => {
    const long = Array.from({ length: 64 }, () => ({ ...OPEN, original_text: '玉ねぎ'.repeat(300) }));
    const made = report(long, { customerName: 'あ'.repeat(500) });
    expect(outputReportSchema.safeParse(made).error).toBeUndefined();
    expect(made.summary).toContain('64 lines, 0 ready');
  });
});
