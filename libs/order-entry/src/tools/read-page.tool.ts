import type { JsonObject } from '#libs/kernel';
import { jsonObjectSchema } from '#libs/payloads';
import { defineTool, type ToolDefinition } from '#libs/tooling';
import { z } from 'zod';
import { readPage } from '../page/read-page.js';

/** `read_page`: extracts the text of a `domSnapshot` (S2-22), for pipeline steps; no model reads the whole snapshot. */
export const readPageTool: ToolDefinition = defineTool({
  name: 'read_page',
  label: 'read page',
  description: 'Reads the texts of a page that the user had open.',
  effect: 'read',
  input: z.object({ snapshot: jsonObjectSchema }),
  timeoutMs: 10_000,
  // The text of a page may come from a third party.
  isForeign: true,
  run: ({ snapshot }: { readonly snapshot: JsonObject }) =>
    Promise.resolve({
      result: {
        status: 'success',
        result: { message: 'The page was read.', text: readPage(snapshot) },
      },
    }),
});
