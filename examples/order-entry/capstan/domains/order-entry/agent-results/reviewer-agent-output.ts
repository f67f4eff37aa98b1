import { z } from 'zod';

const MAX_FINDINGS = 100;

/**
 * The reviewer's verdict on a draft. Every field is required and null when absent, so that a model can be held to
 * the schema.
 */
export const reviewerAgentOutputSchema = z.strictObject({
  verdict: z
    .enum(['approved', 'needs_person'])
    .describe('approved: the draft says what the order says. needs_person: a person has to look at it.'),
  findings: z
    .array(
      z.strictObject({
        line: z
          .union([z.int().min(1), z.null()])
          .describe('The line of the draft, from 1; null for the draft as a whole.'),
        problem: z.string().min(1).max(500).describe('The fault, in one sentence.'),
      }),
    )
    .max(MAX_FINDINGS)
    .describe('Empty if nothing is wrong.'),
});

export type ReviewerAgentOutput = z.infer<typeof reviewerAgentOutputSchema>;
