import { z } from 'zod';
import { reviewerAgentOutputSchema } from './reviewer-agent-output.ts';

/** Summary card of an order from the workflow, for the user interface. */
export const outputReportSchema = z.strictObject({
  summary: z.string().max(2_000).describe('For the user: what was ordered, and what is open.'),
  orderRequestId: z.union([z.int().min(1), z.null()]).describe('The draft; null if none was saved.'),
  customerName: z
    .union([z.string().max(200), z.null()])
    .describe('The customer; null if the order names none.'),
  readyLines: z.int().min(0).describe('Lines that can be ordered as they are.'),
  openLines: z.int().min(0).describe('Lines that a person has to look at.'),
  review: z
    .union([reviewerAgentOutputSchema, z.null()])
    .describe('Verdict of the reviewer; null if it was not reviewed.'),
});

export type OutputReport = z.infer<typeof outputReportSchema>;
