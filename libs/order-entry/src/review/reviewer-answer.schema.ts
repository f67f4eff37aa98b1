import { z } from 'zod';
import { reviewerAgentOutputSchema } from '../agent-results/reviewer-agent-output.js';

/** Answer schema of `reviewerAgent`: the `result` that its caller reads (S2-19). */
export const reviewerAnswerSchema = z.strictObject({
  message: z.string().max(500).describe('One sentence for whoever asked for the review.'),
  reviewerAgentOutput: reviewerAgentOutputSchema,
});
