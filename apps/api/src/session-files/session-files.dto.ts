import { findPathFault, MAX_WORKSPACE_PATH } from '#libs/tooling';
import { z } from 'zod';
import { fileSchema } from '../http/multipart/form-body.js';
import { pageExample, pageQuerySchema, pageSchema } from '../http/page.js';
import { uuidSchema } from '../http/request-values.js';
import { createZodDto } from '../http/zod-dto.js';

const pathSchema = z.string().superRefine((path, context) => {
  const fault = findPathFault(path);
  if (fault !== null) context.addIssue({ code: 'custom', message: fault });
});

const sessionFileSchema = z.object({
  path: z.string().describe('Path in the workspace of the session, with `/` between folders.'),
  size_bytes: z.int(),
  sha256: z.string().describe('SHA-256 of the bytes, in hexadecimal.'),
  updated_at: z.iso.datetime(),
});
const EXAMPLE: z.input<typeof sessionFileSchema> = {
  path: 'reports/may.csv',
  size_bytes: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  updated_at: '2026-11-22T09:00:00.000Z',
};
export class SessionFileDto extends createZodDto(sessionFileSchema, EXAMPLE) {}
export class SessionFilePageDto extends createZodDto(pageSchema(sessionFileSchema), pageExample(EXAMPLE)) {}

const sessionIdSchema = uuidSchema.describe('The id of the session.');
export class SessionFilesParams extends createZodDto(z.object({ uuid: sessionIdSchema })) {}
export class SessionFileParams extends createZodDto(
  z.object({
    uuid: sessionIdSchema,
    path: pathSchema.describe(
      `Path of the file, relative, 1 to ${MAX_WORKSPACE_PATH} characters; write each \`/\` in it as \`%2F\`. Refused: empty, \`.\` and \`..\` parts, backslashes, control and invisible characters, and text that is not in Unicode form NFC.`,
    ),
  }),
) {}
export class SessionFileListQuery extends createZodDto(pageQuerySchema(pathSchema)) {}

export const FILE_FORM = z.strictObject({ file: fileSchema.describe('The file; its name is ignored.') });
export const FILE_FORM_EXAMPLE = { file: 'month,sum\nMay,310' };
