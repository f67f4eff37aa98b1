import { z } from 'zod';

/** Where an answer comes from (3.H-13). */
export const citationSchema = z
  .object({
    datasource_id: z.number().int(),
    chunk_id: z.number().int(),
    title: z.string().describe('Of the document.'),
    score: z.number().describe('How near it is to the question, 0 to 1, with four decimals.'),
    rank: z.number().int().describe('Its place among what was found, from 1.'),
    snippet: z.string().describe('How it begins; `...` stands where it goes on.'),
  })
  .meta({ id: 'Citation' });
export type Citation = z.infer<typeof citationSchema>;

const DECIMALS = 4;

/** What a citation is made of: a passage of a document. */
type CitedPassage = Omit<Citation, 'snippet'> & { readonly text: string };

/** @param snippetChars characters that the snippet has at most, `...` left out */
export function toCitation(passage: CitedPassage, snippetChars: number): Citation {
  const { datasource_id, chunk_id, title, score, rank, text } = passage;
  const rounded = Number(score.toFixed(DECIMALS));
  return { datasource_id, chunk_id, title, score: rounded, rank, snippet: snippetOf(text, snippetChars) };
}

function snippetOf(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}...`;
}
