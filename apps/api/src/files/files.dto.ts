import { z } from 'zod';
import { fileSchema } from '../http/multipart/form-body.js';
import { rangeFields } from '../http/list-filters.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

/** Maximum length of a timestamp with zone and fraction, in bytes. */
const MAX_TIME_BYTES = 64;
const MAX_MEDIA_TYPE = 127;

const uploadForm = z.strictObject({
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be a time with its zone (2026-11-22T09:00:00Z)' })
    .optional()
    .describe('Expiry time of the file; by default the latest time allowed.'),
});
/** Form of a new file. */
export const UPLOAD = { formBytes: { expires_at: MAX_TIME_BYTES }, form: uploadForm };
export const UPLOAD_FORM = uploadForm.extend({ file: fileSchema.describe('The file, with its name.') });
export const UPLOAD_EXAMPLE = { file: 'Dear Sir or Madam' };

const fileViewSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  media_type: z.string().describe('Media type detected from the bytes; name and declared type are ignored.'),
  size_bytes: z.int(),
  sha256: z.string().describe('SHA-256 of the bytes, in hexadecimal.'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof fileViewSchema> = {
  id: '01999999-9999-7999-8999-999999999999',
  name: 'invoice.pdf',
  media_type: 'application/pdf',
  size_bytes: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  created_at: '2026-11-22T09:00:00.000Z',
  expires_at: '2026-12-22T09:00:00.000Z',
};
export class FileDto extends createZodDto(fileViewSchema, EXAMPLE) {}
export class FilePageDto extends createZodDto(pageSchema(fileViewSchema), pageExample(EXAMPLE)) {}

export class FileIdParams extends createZodDto(
  z.object({ id: uuidSchema.describe('The id of the file.') }),
) {}
export class FileListQuery extends createZodDto(
  pageQuerySchema(z.uuid()).extend({
    media_type: z.string().min(1).max(MAX_MEDIA_TYPE).optional().describe('Only files of this type.'),
    ...rangeFields,
  }),
) {}
