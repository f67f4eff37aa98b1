import { z } from 'zod';

/** Warning about text of a document that no search can find. */
export const documentWarningSchema = z
  .object({
    code: z
      .enum(['no_text_on_page', 'unmapped_glyphs', 'truncated'])
      .describe(
        '`no_text_on_page`: pages without text, such as scans. `unmapped_glyphs`: characters that the file does not say the letters of. `truncated`: more than is read of one thing.',
      ),
    pages: z
      .array(z.int())
      .describe(
        'Page numbers from 1, ascending; the first 100 at most, none where the document has no pages.',
      ),
    page_count: z.int().describe('How many pages there are in all.'),
  })
  .meta({ id: 'DocumentWarning' });
