import { defineTool } from 'capstan/kit';
import { z } from 'zod';
import { readPage } from '../page/read-page.ts';
import { jsonObjectSchema } from '../values.ts';

/** Extracts the text of a `domSnapshot`, for steps of a pipeline; no model reads the whole snapshot. */
export const readPageTool = defineTool({
  name: 'read_page',
  description: 'Reads the texts of a page that the user had open.',
  effect: 'read',
  input: z.object({ snapshot: jsonObjectSchema }),
  limits: { timeoutMs: 10_000 },
  // The text of a page may come from a third party.
  isForeign: true,
  run: ({ snapshot }) => ({ message: 'The page was read.', text: readPage(snapshot) }),
});
