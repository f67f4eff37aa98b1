import { z } from 'zod';

const passageSchema = z.object({
  datasource_id: z.number().int(),
  document_id: z.string(),
  chunk_id: z.number().int(),
  /** Title of the document. */
  title: z.string(),
  /** Page number, from 1; null if the document has no pages. */
  page: z.number().int().nullable(),
  text: z.string(),
  /** Similarity to the query, 0 to 1. */
  score: z.number(),
  /** Rank among the search results, from 1. */
  rank: z.number().int(),
});

/** A passage of a document that the model reads. */
export type Passage = z.infer<typeof passageSchema>;

/** Passages that the model read for an answer, best match first. */
export const sourcesSchema = z.object({
  passages: z.array(passageSchema).readonly(),
  /** Maximum characters of a passage that a citation shows. */
  snippetChars: z.number().int(),
});
export type Sources = z.infer<typeof sourcesSchema>;
