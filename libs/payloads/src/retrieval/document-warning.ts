import { z } from 'zod';

/** Warning about text of a document that no search can find. */
export const documentWarningSchema = z
  .object({
    code: z
      .enum(['no_text_on_page', 'unmapped_glyphs', 'truncated'])
      .describe(
        '`no_text_on_page`: pages without text, such as scans. `unmapped_glyphs`: glyphs without a mapping to characters. `truncated`: a part exceeds the limit and was cut.',
      ),
    pages: z
      .array(z.int())
      .describe('Page numbers from 1, ascending, at most 100; empty if the document has no pages.'),
    page_count: z.int().describe('Total number of these pages.'),
  })
  .meta({ id: 'DocumentWarning' });
