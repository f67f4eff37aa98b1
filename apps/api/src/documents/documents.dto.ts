import { z } from 'zod';
import { INGESTION_STATES } from '#libs/knowledge';
import { wordsSchema } from '../http/list-filters.js';
import { fileSchema } from '../http/multipart/form-body.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { idInBodySchema, idSchema, uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

/** Of a title, in characters. */
export const MOST_TITLE = 500;
const MOST_URL = 2_048;
/** What a text can say it is; files say it by their bytes and names. */
const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/html', 'text/csv'] as const;

const title = z
  .string()
  .trim()
  .min(1)
  .max(MOST_TITLE)
  .optional()
  .describe('How it is cited; without one, the name of its file, or its URL.');

const content = {
  title,
  text: z.string().min(1).optional().describe('The document itself.'),
  media_type: z.enum(TEXT_TYPES).optional().describe('What `text` is; `text/plain` when omitted.'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(MOST_URL)
    .optional()
    .describe('Where a worker is to fetch it: a public address.'),
};

interface Content {
  readonly text?: string | undefined;
  readonly url?: string | undefined;
  readonly media_type?: string | undefined;
}

function checkContent({ text, url, media_type }: Content, context: z.RefinementCtx): void {
  if ((text === undefined) === (url === undefined))
    context.addIssue({ code: 'custom', message: 'must have either text or url' });
  if (text === undefined && media_type !== undefined)
    context.addIssue({ code: 'custom', path: ['media_type'], message: 'goes with text alone' });
}

const datasource_id = idInBodySchema.describe('The datasource that it is to belong to.');

/** A text, or a URL. */
export class DocumentGivenDto extends createZodDto(
  z.strictObject({ datasource_id, ...content }).superRefine(checkContent),
  { datasource_id: 3, title: 'Opening hours', text: 'We are open from nine to five.' },
) {}

/** The text fields of a form, beside its file. */
export const documentFormFields = z.strictObject({
  datasource_id: idSchema.describe('The datasource that it is to belong to.'),
  title,
});
export const documentForm = documentFormFields.extend({ file: fileSchema.describe('The document itself.') });
export const DOCUMENT_FORM_EXAMPLE = { datasource_id: '3', title: 'Handbook', file: '# Handbook' };

const documentSchema = z.object({
  id: z.uuid(),
  datasource_id: z.int(),
  title: z.string(),
  source: z.enum(['upload', 'text', 'url']),
  url: z.string().nullable(),
  file_name: z.string().nullable(),
  media_type: z.string().nullable().describe('As whoever gave it said.'),
  kind: z.string().nullable().describe('What it was found to be; null until it was read.'),
  size_bytes: z.int().nullable().describe('Null until it was fetched.'),
  state: z.enum(INGESTION_STATES).describe('Of the generation that was given last.'),
  progress: z
    .object({ done: z.int(), total: z.int().nullable() })
    .describe('Chunks that have their vector, of how many; null until that is known.'),
  error_code: z.string().nullable().describe('Why it is `failed`.'),
  error_text: z.string().nullable().describe('The same, for people.'),
  generation: z.int().describe('The one that was given last, from 1.'),
  live_generation: z.int().nullable().describe('The one that is searched; null until the first is ready.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof documentSchema> = {
  id: '01999999-9999-7999-8999-999999999999',
  datasource_id: 3,
  title: 'Handbook',
  source: 'upload',
  url: null,
  file_name: 'handbook.pdf',
  media_type: 'application/pdf',
  kind: 'pdf',
  size_bytes: 482_113,
  state: 'embedding',
  progress: { done: 64, total: 212 },
  error_code: null,
  error_text: null,
  generation: 1,
  live_generation: null,
  created_at: '2026-11-22T09:00:00.000Z',
  updated_at: '2026-11-22T09:00:00.000Z',
};
export class DocumentDto extends createZodDto(documentSchema, EXAMPLE) {}
export class DocumentPageDto extends createZodDto(pageSchema(documentSchema), pageExample(EXAMPLE)) {}

export class DocumentIdParams extends createZodDto(
  z.object({ id: uuidSchema.describe('The id of the document.') }),
) {}
export class DocumentListQuery extends createZodDto(
  pageQuerySchema(z.uuid()).extend({
    datasource_id: idSchema.optional().describe('Only those of this datasource.'),
    state: wordsSchema(INGESTION_STATES)
      .optional()
      .describe('Only those in this state, or in one of several with commas between.'),
  }),
) {}
