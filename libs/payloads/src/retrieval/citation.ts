import { z } from 'zod';

/** Source of an answer (3.H-13). */
export const citationSchema = z
  .object({
    datasource_id: z.number().int(),
    doc_id: z.string().optional().describe('Id of the document; answers of earlier releases have none.'),
    chunk_id: z.number().int(),
    title: z.string().describe('Title of the document.'),
    score: z.number().describe('Similarity to the question, 0 to 1, with four decimals.'),
    rank: z.number().int().describe('Rank in the result, from 1.'),
    snippet: z.string().describe('Beginning of the passage; ends with `...` if it was cut.'),
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof citationSchema> & { doc_id: string };

const DECIMALS = 4;

/** Passage of a document that a citation is built from. */
type CitedPassage = Omit<Citation, 'snippet' | 'doc_id'> & {
  readonly document_id: string;
  readonly text: string;
};

/** @param snippetChars maximum characters of the snippet without `...` */
export function toCitation(passage: CitedPassage, snippetChars: number): Citation {
  const { datasource_id, document_id, chunk_id, title, score, rank, text } = passage;
  const snippet = snippetOf(text, snippetChars);
  const ids = { datasource_id, doc_id: document_id, chunk_id };
  return { ...ids, title, score: roundScore(score), rank, snippet };
}

/** Rounds a score to four decimals for display. */
export function roundScore(score: number): number {
  return Number(score.toFixed(DECIMALS));
}

function snippetOf(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}...`;
}
