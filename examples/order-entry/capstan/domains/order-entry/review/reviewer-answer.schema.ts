import { z } from 'zod';
import { reviewerAgentOutputSchema } from '../agent-results/reviewer-agent-output.ts';

/** Answer schema of `reviewerAgent`: the `result` that its caller reads. */
export const reviewerAnswerSchema = z.strictObject({
  message: z.string().max(500).describe('One sentence for the caller of the review.'),
  reviewerAgentOutput: reviewerAgentOutputSchema,
});
