import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { DomainCatalogue, isStrictSchema, readToolReturn, type ToolReturn } from '#libs/tooling';
import { z } from 'zod';
import { orderEntry } from '../order-entry.domain.js';
import { reportReturn } from './order-entry-workflow-result.js';
import { reviewerAnswerSchema } from '../review/reviewer-answer.schema.js';
import { outputReportSchema, type OutputReport, type OutpurReport } from './output-report.js';
import { reviewerAgentOutputSchema, type ReviewerAgentOutput } from './reviewer-agent-output.js';
import type { ReviewerAgentFunctionCallResult } from './reviewer-agent-result.js';

const REVIEW: ReviewerAgentOutput = {
  verdict: 'needs_person',
  findings: [{ line: 2, problem: 'Which size?' }],
};
const REPORT: OutputReport = {
  ...{ summary: 'Two lines.', orderRequestId: 5, customerName: 'Harbor Grill', readyLines: 1, openLines: 1 },
  review: REVIEW,
};

/** Parses a tool's return as order entry defines it. */
function read(returned: ToolReturn) {
  const [tool] = new DomainCatalogue([orderEntry]).tools({ manager: {} as never });
  return readToolReturn(returned, 65_536, tool?.keeps);
}

describe('answers of the order entry workflow', () => {
  it('is a report, which the answer that follows has too (S2-4, S2-18, S2-24)', () => {
    const spelled: OutpurReport = REPORT;
    const { output, bake } = read(reportReturn(spelled));
    expect(JSON.parse(output)).toEqual({
      status: 'success',
      result: { message: 'The report is written: 1 lines ready, 1 open.', outputReport: REPORT },
    });
    expect(bake).toEqual({ outputReport: REPORT });
  });
});

it('the caller of a reviewer reads its answer as a result (S2-19)', () => {
  const { result }: ReviewerAgentFunctionCallResult = {
    status: 'success',
    result: { message: 'Look at the second line.', reviewerAgentOutput: REVIEW },
  };
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
