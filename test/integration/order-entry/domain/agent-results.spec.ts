import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { DomainCatalogue, isStrictSchema, readToolReturn, type ToolReturn } from '#libs/tooling';
import { z } from 'zod';
import { DOMAIN } from '../order-entry-database.js';
import { reviewerAnswerSchema } from '../../../../examples/order-entry/capstan/domains/order-entry/review/reviewer-answer.schema.ts';
import {
  outputReportSchema,
  type OutputReport,
} from '../../../../examples/order-entry/capstan/domains/order-entry/agent-results/output-report.ts';
import {
  reviewerAgentOutputSchema,
  type ReviewerAgentOutput,
} from '../../../../examples/order-entry/capstan/domains/order-entry/agent-results/reviewer-agent-output.ts';

const REVIEW: ReviewerAgentOutput = {
  verdict: 'needs_person',
  findings: [{ line: 2, problem: 'Which size?' }],
};
const REPORT: OutputReport = {
  ...{ summary: 'Two lines.', orderRequestId: 5, customerName: 'Harbor Grill', readyLines: 1, openLines: 1 },
  review: REVIEW,
};

describe('answers of the order entry workflow', () => {
  it('is a report, which the answer that follows may have too (S2-4, S2-18, S2-24)', () => {
    const tool = new DomainCatalogue([DOMAIN])
      .tools({ manager: {} as never })
      .find(({ name }) => name === 'save_reviewed_order_draft');
    const returned: ToolReturn = {
      result: { status: 'success', result: { outputReport: REPORT } },
      bake: { outputReport: REPORT },
    };
    const { output, bake } = readToolReturn(returned, 65_536, tool?.keeps);
    expect(JSON.parse(output)).toEqual(returned.result);
    expect(bake).toEqual(returned.bake);
  });
});

it('the caller of a reviewer reads its answer as a result (S2-19)', () => {
  const result = { message: 'Look at the second line.', reviewerAgentOutput: REVIEW };
  expect(reviewerAnswerSchema.parse(result)).toEqual(result);
});

it.each([
  ['review', reviewerAgentOutputSchema],
  ['report', outputReportSchema],
])(
  'a model can be held to the schema of a %s: every field is required (S2-10, S2-18, S2-19)',
  (_what, schema) => {
    const { $schema: _dialect, ...json } = z.toJSONSchema(schema);
    expect(isStrictSchema(json as JsonObject)).toBe(true);
  },
);
