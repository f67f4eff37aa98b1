import { describe, expect, it } from '@jest/globals';
import { anOrderDraftLine } from '../../../support/builders/order-draft-line.js';
import { applyReview } from '../../../../examples/order-entry/capstan/domains/order-entry/review/apply-review.ts';

const draft = {
  customer_name: 'Harbor Grill',
  order_info: [
    anOrderDraftLine({ item_num: 'VEG-1010' }),
    anOrderDraftLine({ item_num: 'FRT-2010', status: 'todo', help_request_message: 'Which size?' }),
  ],
};

describe('a review of a draft', () => {
  it('leaves disputed lines to a person, and changes nothing else in them (S2-19)', () => {
    const { customer_name, order_info } = applyReview(draft, [
      { line: 1, problem: 'It is ordered twice.' },
      { line: 1, problem: 'Too many.' },
    ]);
    const [first, second] = order_info;
    expect(customer_name).toBe('Harbor Grill');
    expect(first).toEqual({
      ...draft.order_info[0],
      status: 'todo',
      confidence: 'low',
      help_request_message: 'It is ordered twice. Too many.',
    });
    expect(second).toBe(draft.order_info[1]);
  });

  it('says what is to be decided beside what was said before, and nothing twice', () => {
    const findings = [
      { line: 2, problem: 'Not in the catalogue.' },
      { line: 2, problem: 'Which size?' },
    ];
    expect(applyReview(draft, findings).order_info[1]?.help_request_message).toBe(
      'Which size? Not in the catalogue.',
    );
  });

  it.each([null, 3, 99])('is about no line where it names %j', (line) => {
    expect(applyReview(draft, [{ line, problem: 'One is missing.' }])).toEqual(draft);
  });
});
