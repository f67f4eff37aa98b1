import { z } from 'zod';
import { INGESTION_STATES } from '#libs/knowledge';
import { documentWarningSchema } from '#libs/payloads';
import { wordsSchema } from '../http/list-filters.js';
import { fileSchema } from '../http/multipart/form-body.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { eventNumberSchema, idInBodySchema, idSchema, uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

/** Maximum length of a title, in characters. */
export const MAX_TITLE = 500;
const MAX_URL = 2_048;
/** Media types that a text may declare; the type of a file is detected from its bytes and name. */
const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/html', 'text/csv'] as const;

const title = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TITLE)
  .optional()
  .describe('Title in citations; by default the file name or the URL.');

const content = {
  title,
  text: z.string().min(1).optional().describe('The document itself.'),
  media_type: z.enum(TEXT_TYPES).optional().describe('Media type of `text`; `text/plain` by default.'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(MAX_URL)
    .optional()
    .describe('URL that a worker fetches; a public address.'),
};

/** Content of a document in JSON: a text, or a URL that a worker fetches. */
export interface DocumentContent {
  readonly text?: string | undefined;
  readonly url?: string | undefined;
  readonly media_type?: string | undefined;
}

function checkContent({ text, url, media_type }: DocumentContent, context: z.RefinementCtx): void {
  if ((text === undefined) === (url === undefined))
    context.addIssue({ code: 'custom', message: 'must have either text or url' });
  if (text === undefined && media_type !== undefined)
    context.addIssue({ code: 'custom', path: ['media_type'], message: 'goes with text alone' });
}

const DATASOURCE = 'The datasource that the document belongs to.';
const FILE = fileSchema.describe('The document itself.');
const TEXT_EXAMPLE = { title: 'Opening hours', text: 'We are open from nine to five.' };
const FORM_EXAMPLE = { title: 'Handbook', file: '# Handbook' };
/** Maximum length of the form field with the datasource id, in bytes of digits. */
const MAX_ID_BYTES = 20;
/** UTF-8 takes up to four bytes a character. */
const MAX_TITLE_BYTES = MAX_TITLE * 4;

const datasource_id = idInBodySchema.describe(DATASOURCE);
const createJson = z.strictObject({ datasource_id, ...content }).superRefine(checkContent);
export class DocumentGivenDto extends createZodDto(createJson, { datasource_id: 3, ...TEXT_EXAMPLE }) {}
const createForm = z.strictObject({ datasource_id: idSchema.describe(DATASOURCE), title });
export const GIVEN_FORM = createForm.extend({ file: FILE });
export const GIVEN_FORM_EXAMPLE = { datasource_id: 3, ...FORM_EXAMPLE };
/** Form and JSON body for a new document. */
export const GIVEN = {
  formBytes: { datasource_id: MAX_ID_BYTES, title: MAX_TITLE_BYTES },
  form: createForm,
  json: createJson,
};

const replaceJson = z.strictObject(content).superRefine(checkContent);
export class DocumentContentDto extends createZodDto(replaceJson, TEXT_EXAMPLE) {}
const replaceForm = z.strictObject({ title });
export const CONTENT_FORM = replaceForm.extend({ file: FILE });
export const CONTENT_FORM_EXAMPLE = FORM_EXAMPLE;
/** Form and JSON body for new content of a document. */
export const CONTENT = { formBytes: { title: MAX_TITLE_BYTES }, form: replaceForm, json: replaceJson };

const documentSchema = z.object({
  id: z.uuid(),
  datasource_id: z.int(),
  title: z.string(),
  source: z.enum(['upload', 'text', 'url']),
  url: z.string().nullable(),
  file_name: z.string().nullable(),
  media_type: z.string().nullable().describe('Media type declared by the client.'),
  kind: z.string().nullable().describe('Detected type of the document; null until it was parsed.'),
  size_bytes: z.int().nullable().describe('Size in bytes; null until it was fetched.'),
  state: z.enum(INGESTION_STATES).describe('State of the newest generation.'),
  progress: z
    .object({ done: z.int(), total: z.int().nullable() })
    .describe(
      'Chunks with a vector, and their total; null until known. In the state `chunking`: chunks created so far.',
    ),
  warnings: z
    .array(documentWarningSchema)
    .describe(
      'Text that searches cannot find; empty until the document was parsed, and if nothing is missing.',
    ),
  error_code: z.string().nullable().describe('Error code of the state `failed`; otherwise null.'),
  error_text: z.string().nullable().describe('The error as text, for people.'),
  last_error: z
    .object({
      code: z.string(),
      text: z.string().describe('The error as text, for people.'),
      tries: z.int().describe('Failures in a row. Outages of the store of files do not count.'),
      next_try_at: z.iso.datetime().describe('Earliest time of the next try.'),
    })
    .nullable()
    .describe(
      'The failure that led to the next try; null after a step succeeds, and in the state `ready` or `failed`.',
    ),
  generation: z.int().describe('The newest generation, from 1.'),
  live_generation: z
    .int()
    .nullable()
    .describe('The generation that is searched; null until the first is ready.'),
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
  warnings: [{ code: 'no_text_on_page', pages: [3, 7], page_count: 2 }],
  error_code: null,
  error_text: null,
  last_error: {
    code: 'EMBEDDING_FAILED',
    text: 'API status error (429): too many requests',
    tries: 1,
    next_try_at: '2026-11-22T09:00:20.000Z',
  },
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
    datasource_id: idSchema.optional().describe('Only documents of this datasource.'),
    state: wordsSchema(INGESTION_STATES)
      .optional()
      .describe('Only documents in this state, or in one of several, comma-separated.'),
  }),
) {}

const chunkSchema = z.object({
  id: z.int().describe('Id of the chunk; `chunk_id` in citations.'),
  ordinal: z.int().describe('Position in the document, from 0.'),
  text: z.string(),
  headings: z.array(z.string()).describe('Headings above it, outermost first.'),
  page: z.int().nullable().describe('Page number from 1; null if the document has no pages.'),
  token_count: z.int(),
});
const CHUNK_EXAMPLE: z.input<typeof chunkSchema> = {
  id: 41,
  ordinal: 0,
  text: 'We are open from nine to five.',
  headings: ['Opening hours'],
  page: null,
  token_count: 9,
};
export class DocumentChunkPageDto extends createZodDto(pageSchema(chunkSchema), pageExample(CHUNK_EXAMPLE)) {}
export class DocumentChunkListQuery extends createZodDto(pageQuerySchema(eventNumberSchema)) {}
