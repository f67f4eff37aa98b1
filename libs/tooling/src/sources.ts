import { z } from 'zod';

const passageSchema = z.object({
  datasource_id: z.number().int(),
  document_id: z.string(),
  chunk_id: z.number().int(),
  /** Of the document. */
  title: z.string(),
  /** From 1; null where the document has none. */
  page: z.number().int().nullable(),
  text: z.string(),
  /** How near it is to what was asked, 0 to 1. */
  score: z.number(),
  /** Its place among what was found, from 1. */
  rank: z.number().int(),
});

/** A part of a document that a model reads. */
export type Passage = z.infer<typeof passageSchema>;

/** Where an answer comes from: the passages that were read for it, best first. */
export const sourcesSchema = z.object({
  passages: z.array(passageSchema).readonly(),
  /** Characters that a citation shows of one. */
  snippetChars: z.number().int(),
});
export type Sources = z.infer<typeof sourcesSchema>;
