import { z } from 'zod';

/** Counts of searched and used content of an answer (3.H-13). */
export const retrievalUsageSchema = z.object({
  datasources: z.number().int().describe('Number of datasources searched.'),
  total_candidates: z.number().int().describe('Chunks that were ranked.'),
  used_chunks: z.number().int().describe('Number of ranked chunks that the model read.'),
  top_k_requested: z.number().int(),
});
export type RetrievalUsage = z.infer<typeof retrievalUsageSchema>;
